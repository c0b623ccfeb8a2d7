export { appendToSection } from './append.ts';
export { documentationRoutes } from './routes.ts';
export { createDocumentationService } from './service.ts';
