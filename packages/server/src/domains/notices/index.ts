export { noticeRoutes } from './routes.ts';
export { createNoticesService, type NoticesService, type TellResponsible } from './service.ts';
export { dropOldNotices } from './store.ts';
