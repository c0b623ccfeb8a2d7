export { noticeRoutes } from './routes.ts';
export { createNoticesService, type NoticesService } from './service.ts';
export { dropOldNotices } from './store.ts';
export type { TellPeople, TellResponsible } from './tell.ts';
