export { repositoryRoutes } from './routes.ts';
export { serveScans } from './scans.ts';
export { createRepositoriesService } from './service.ts';
export { createTokens } from './tokens.ts';
