export { helpPlugin } from './help-plugin.ts';
export { type PagesOptions, pagesPlugin } from './plugin.ts';
