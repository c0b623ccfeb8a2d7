import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, pageOf, Time } from '../shapes.ts';

const tag = 'projects';
const searchLengthMax = 200;

/** A document of a project as its list shows it. */
export const ImportedDocumentItem = Type.Object(
  {
    id: Id,
    source: Type.String({
      description: 'Where it comes from: `settings`, or the name that the embedding application gave.',
    }),
    path: Type.String({ description: 'Its place below the source, with slashes.' }),
    title: Type.String(),
    byteLength: Type.Integer({ minimum: 0 }),
    importedAt: Time,
  },
  { $id: 'ImportedDocumentItem' },
);
export type ImportedDocumentItem = Static<typeof ImportedDocumentItem>;

/** The same with its text: Markdown or plain text, without front matter. */
export const ImportedDocument = Type.Object(
  { ...ImportedDocumentItem.properties, content: Type.String() },
  { $id: 'ImportedDocument' },
);
export type ImportedDocument = Static<typeof ImportedDocument>;

/** Documents that the host brought into a project. Sort names: `title`, `path`, `importedAt`; default `title`. */
export const listImportedDocuments = defineEndpoint({
  operationId: 'listImportedDocuments',
  tag,
  summary: 'Lists the documents that the host imports into a project',
  method: 'GET',
  path: '/svc/api/projects/{id}/imported-documents',
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({
        maxLength: searchLengthMax,
        description: 'Part of title, path or text; case does not matter.',
      }),
    ),
  }),
  responses: { 200: pageOf(ImportedDocumentItem) },
  access: access.read({ project: 'readable' }),
});

export const getImportedDocument = defineEndpoint({
  operationId: 'getImportedDocument',
  tag,
  summary: 'An imported document with its text',
  method: 'GET',
  path: '/svc/api/projects/{id}/imported-documents/{documentId}',
  params: Type.Object({ id: Id, documentId: Id }),
  responses: { 200: ImportedDocument },
  access: access.read({ project: 'readable' }),
});
