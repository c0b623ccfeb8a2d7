export { createImports, type ImportResult } from './import.ts';
export { createImportNow } from './import-now.ts';
export { createImportJobs } from './jobs.ts';
export { importedDocumentRoutes } from './routes.ts';
export { createImportedDocumentsService } from './service.ts';
export { type FoundDocument, findDocument, searchDocuments } from './store.ts';
export type { DocumentSource, SourceDocument } from './types.ts';
export { createDocumentUploads } from './upload-service.ts';
