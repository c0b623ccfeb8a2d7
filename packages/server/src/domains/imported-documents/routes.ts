import * as contract from '@svc/contract';
import { bytesRoute, type Route, readRoute, route } from '../../platform/http/index.ts';
import type { ImportNow } from './import-now.ts';
import type { ImportedDocumentsService } from './service.ts';
import type { DocumentUploads } from './upload-service.ts';

export const importedDocumentRoutes = ({
  documents,
  uploads,
  importNow,
}: {
  readonly documents: ImportedDocumentsService;
  readonly uploads: DocumentUploads;
  readonly importNow: ImportNow;
}): Route[] => [
  readRoute(contract.listImportedDocuments, ({ caller, params, query }) =>
    documents.list(caller, params.id, query),
  ),
  readRoute(contract.getImportedDocument, ({ caller, params }) =>
    documents.get(caller, params.id, params.documentId),
  ),
  bytesRoute(contract.uploadImportedDocument, contract.documentBytesMax, (context) =>
    uploads.upload(context, context.params.id, context.query.name, bytesOf(context.request.body)),
  ),
  bytesRoute(contract.replaceImportedDocument, contract.documentBytesMax, (context) =>
    uploads.replace(context, context.params.id, context.params.documentId, bytesOf(context.request.body)),
  ),
  route(contract.deleteImportedDocument, async (context) => {
    await uploads.remove(context, context.params.id, context.params.documentId);
    return undefined;
  }),
  route(contract.importDocumentsNow, (context) => importNow(context, context.params.id)),
];

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
