export { noticeRoutes } from './routes.ts';
export { createNoticesService, type NoticesService } from './service.ts';
