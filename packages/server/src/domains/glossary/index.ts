export { glossaryRoutes } from './routes.ts';
export { createGlossaryService } from './service.ts';
