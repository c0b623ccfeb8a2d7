export { queryFolderRoutes } from './routes.ts';
export { createQueryFoldersService, type QueryFoldersService } from './service.ts';
