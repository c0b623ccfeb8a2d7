export { appendToSection } from './append.ts';
export { type ReadSection, readDocumentation } from './reading/read-documentation.ts';
export { readTableFacts, type TableFacts } from './reading/table-facts.ts';
export { documentationRoutes } from './routes.ts';
export { createDocumentationService } from './service.ts';
