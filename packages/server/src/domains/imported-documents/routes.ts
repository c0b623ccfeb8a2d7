import * as contract from '@svc/contract';
import { type Route, readRoute } from '../../platform/http/index.ts';
import type { ImportedDocumentsService } from './service.ts';

export const importedDocumentRoutes = (documents: ImportedDocumentsService): Route[] => [
  readRoute(contract.listImportedDocuments, ({ caller, params, query }) =>
    documents.list(caller, params.id, query),
  ),
  readRoute(contract.getImportedDocument, ({ caller, params }) =>
    documents.get(caller, params.id, params.documentId),
  ),
];
