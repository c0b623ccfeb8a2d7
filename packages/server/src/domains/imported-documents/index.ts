export { createImport, type ImportResult } from './import.ts';
export { createImportJobs } from './jobs.ts';
export { importedDocumentRoutes } from './routes.ts';
export { createImportedDocumentsService } from './service.ts';
export type { DocumentSource, SourceDocument } from './types.ts';
