import type { ImportedDocument, ImportedDocumentItem, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import { requireRight } from '../projects/index.ts';
import { presentDocument } from './present.ts';
import * as store from './store.ts';

export type ImportedDocumentsService = ReturnType<typeof createImportedDocumentsService>;

/** Creates the service that lists and returns documents of a project to users with the right to read it. */
export function createImportedDocumentsService({ database }: { readonly database: Database }) {
  return {
    list: async (
      caller: Caller,
      projectId: number,
      query: ListQuery & { search?: string },
    ): Promise<Page<ImportedDocumentItem>> => {
      await requireRight(database, caller, projectId, 'Read');
      const page = pageRequest(query, { sortable: store.sortable, byDefault: 'title', unique: 'd.id' });
      const { rows, total } = await store.listDocuments(database, projectId, query.search || null, page);
      return pageOf(rows.map(presentDocument), total, page);
    },

    get: async (caller: Caller, projectId: number, id: number): Promise<ImportedDocument> => {
      await requireRight(database, caller, projectId, 'Read');
      const document = await store.findDocument(database, projectId, id);
      if (!document) throw notFound();
      const { content, ...row } = document;
      return { ...presentDocument(row), content };
    },
  };
}
