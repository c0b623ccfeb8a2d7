import type { ImportedDocumentItem } from '@svc/contract';
import type { Database, Tx } from '../../platform/db/index.ts';
import { badRequest, conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { lockForChange } from '../projects/index.ts';
import { parseUpload } from './content/uploaded.ts';
import { presentDocument } from './present.ts';
import { findDocument } from './store.ts';
import { type Document, documentsMax } from './types.ts';
import * as store from './upload-store.ts';

export type DocumentUploads = {
  /** @throws Refusal for an invalid name or content, for an existing name, and for too many documents. */
  readonly upload: (
    by: CallerActor,
    projectId: number,
    name: string,
    bytes: Buffer,
  ) => Promise<ImportedDocumentItem>;
  readonly replace: (
    by: CallerActor,
    projectId: number,
    id: number,
    bytes: Buffer,
  ) => Promise<ImportedDocumentItem>;
  readonly remove: (by: CallerActor, projectId: number, id: number) => Promise<void>;
};

/** File name of letters, digits and a few marks, without a folder and without a leading dot. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._()-]*\.(?:md|markdown|txt|html?)$/iu;

/** Creates the uploads of project admins: upload, replace and remove. Refuses changes of imported documents. */
export function createDocumentUploads(deps: {
  readonly database: Database;
  readonly audit: Audit;
}): DocumentUploads {
  const { database, audit } = deps;

  const changed = async (tx: Tx, projectId: number, id: number): Promise<ImportedDocumentItem> => {
    const row = await findDocument(tx, projectId, id);
    if (!row) throw notFound();
    const { content: _content, ...item } = row;
    return presentDocument(item);
  };

  const lockUpload = async (tx: Tx, projectId: number, id: number): Promise<store.StoredDocument> => {
    const document = await store.lockDocument(tx, projectId, id);
    if (!document) throw notFound();
    if (!document.isUploaded)
      throw conflict(
        'document-from-import',
        'An import of the operator brings this document: the next one would restore it.',
      );
    return document;
  };

  return {
    upload: (by, projectId, name, bytes) =>
      database.transaction(async (tx) => {
        await lockForChange(tx, by.caller, projectId, 'Manage');
        if (!plainName.test(name)) throw refusedName();
        const document = documentFrom(name, bytes);
        // The lock of the project prevents another upload between the count and the insert.
        if ((await store.countUploads(tx, projectId)) >= documentsMax)
          throw conflict('too-many-documents', `The project has ${documentsMax} uploaded documents already.`);
        const id = await store.insertUpload(tx, projectId, by.caller.userId, document);
        if (id === undefined)
          throw conflict('document-exists', `The project has an uploaded document ${name} already.`);
        await audit.record(tx, {
          event: 'projects.document_uploaded',
          ...about(by, projectId, id),
          detail: { name, sizeBytes: bytes.length },
        });
        return changed(tx, projectId, id);
      }),

    replace: (by, projectId, id, bytes) =>
      database.transaction(async (tx) => {
        await lockForChange(tx, by.caller, projectId, 'Manage');
        const { path: name, byteLength: sizeBytesBefore } = await lockUpload(tx, projectId, id);
        await store.updateUpload(tx, id, by.caller.userId, documentFrom(name, bytes));
        await audit.record(tx, {
          event: 'projects.document_replaced',
          ...about(by, projectId, id),
          detail: { name, sizeBytes: bytes.length, sizeBytesBefore },
        });
        return changed(tx, projectId, id);
      }),

    remove: (by, projectId, id) =>
      database.transaction(async (tx) => {
        await lockForChange(tx, by.caller, projectId, 'Manage');
        const { path: name, byteLength: sizeBytes } = await lockUpload(tx, projectId, id);
        await store.deleteUpload(tx, id);
        await audit.record(tx, {
          event: 'projects.document_removed',
          ...about(by, projectId, id),
          detail: { name, sizeBytes },
        });
      }),
  };
}

const about = (by: CallerActor, projectId: number, id: number) => ({
  by,
  projectId,
  subject: { kind: 'imported_document', id },
});

function documentFrom(name: string, bytes: Buffer): Document {
  const upload = parseUpload(name, bytes);
  if ('refusal' in upload) throw badRequest('document-content-refused', upload.refusal);
  return upload.document;
}

const refusedName = () => {
  const message =
    'must be a name without a folder, such as orders.md; it ends in .md, .markdown, .txt, .html or .htm';
  return badRequest('document-name-refused', `The name ${message}.`, [{ path: '/name', message }]);
};
