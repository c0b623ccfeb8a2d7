export { nobody, type RowRouter } from './router.ts';
export { createRowRoutings, type RowRoutings } from './routings.ts';
export { requireRouting } from './rule.ts';
export { isRoutedTo } from './store.ts';
export { RoutesUnreadable, refusingUnreadable } from './unreadable.ts';
