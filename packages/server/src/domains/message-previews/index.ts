export { previewRoutes } from './routes.ts';
export { createPreviewService, type PreviewService } from './service.ts';
