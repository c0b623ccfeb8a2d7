import { getImportedDocument, listImportedDocuments, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the documents that the host imported into a project. */
export const documents = (id: number, query: QueryOf<typeof listImportedDocuments>) =>
  read(listImportedDocuments, { params: { id }, query });

/** One imported document with its text. */
export const document = (id: number, documentId: number) =>
  read(getImportedDocument, { params: { id, documentId } });
