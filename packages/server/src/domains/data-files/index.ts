export { dataFileRoutes } from './routes.ts';
export { createDataFilesService } from './service.ts';
