import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { plural } from '../../wording.ts';

const tag = 'projects';
const searchLengthMax = 200;
const nameLengthMax = 120;
const path = '/svc/api/projects/{id}/imported-documents';

/** Largest document, in bytes. */
export const documentBytesMax = 512 * 1024;
/** Documents of one source, and uploaded documents of one project, at most. */
export const documentsMax = 2_000;
/** Skipped documents that the response of an import lists, at most. */
export const leftOutShownMax = 100;

/** Reasons why an import skips a document. */
export const leftOutReasons = [
  'too-large',
  'not-utf-8',
  'bad-path',
  'too-many',
  'unreadable',
  'twice',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** A document of a project in a list. */
export const ImportedDocumentItem = Type.Object(
  {
    id: Id,
    source: Type.String({
      description:
        'Origin of the document: `settings`, the name of a source of the embedding application, or `upload`.',
    }),
    path: Type.String({ description: 'Path of the document within the source, with slashes.' }),
    title: Type.String(),
    byteLength: Type.Integer({ minimum: 0 }),
    importedAt: Time,
    isUploaded: Type.Boolean({
      description:
        'True: a project admin uploaded the document, and may replace or delete it. False: an import created it.',
    }),
    uploadedBy: nullable(Type.String(), { description: 'User name of the last uploader.' }),
  },
  { $id: 'ImportedDocumentItem' },
);
export type ImportedDocumentItem = Static<typeof ImportedDocumentItem>;

/** A document with its text: Markdown or plain text, without front matter. HTML is reduced to its text. */
export const ImportedDocument = Type.Object(
  { ...ImportedDocumentItem.properties, content: Type.String() },
  { $id: 'ImportedDocument' },
);
export type ImportedDocument = Static<typeof ImportedDocument>;

/** Documents of a project, imported and uploaded. Sort names: `title`, `path`, `importedAt`; default `title`. */
export const listImportedDocuments = defineEndpoint({
  operationId: 'listImportedDocuments',
  tag,
  summary: 'Lists the imported and the uploaded documents of a project',
  method: 'GET',
  path,
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({
        maxLength: searchLengthMax,
        description: 'Part of title, path or text. Upper and lower case count as equal.',
      }),
    ),
  }),
  responses: { 200: pageOf(ImportedDocumentItem) },
  access: access.read({ project: 'readable' }),
});

export const getImportedDocument = defineEndpoint({
  operationId: 'getImportedDocument',
  tag,
  summary: 'A document with its text',
  method: 'GET',
  path: `${path}/{documentId}`,
  params: Type.Object({ id: Id, documentId: Id }),
  responses: { 200: ImportedDocument },
  access: access.read({ project: 'readable' }),
});

export const uploadImportedDocument = defineEndpoint({
  operationId: 'uploadImportedDocument',
  tag,
  summary: 'Adds a Markdown, text or HTML document to a project; the body contains its bytes',
  method: 'POST',
  path,
  params: IdParams,
  query: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: nameLengthMax,
      description: 'File name without a folder. It ends in .md, .markdown, .txt, .html or .htm.',
    }),
  }),
  takesFile: true,
  responses: { 201: ImportedDocumentItem },
  access: access.write({ project: 'managed' }),
  refusals: {
    400: 'The file name is not allowed, or the content is not Markdown, text or HTML.',
    409: 'The project already has an uploaded document with this name, or has the maximum number of documents.',
    413: `The document is larger than ${documentBytesMax / 1024} KB.`,
    415: 'The content type is not `application/octet-stream`.',
  },
});

export const replaceImportedDocument = defineEndpoint({
  operationId: 'replaceImportedDocument',
  tag,
  summary: 'Replaces the content of an uploaded document; the body contains its bytes',
  method: 'PUT',
  path: `${path}/{documentId}`,
  params: Type.Object({ id: Id, documentId: Id }),
  takesFile: true,
  responses: { 200: ImportedDocumentItem },
  access: access.write({ project: 'managed' }),
  refusals: {
    400: 'The content is not Markdown, text or HTML.',
    409: 'The document was imported, not uploaded.',
    413: `The document is larger than ${documentBytesMax / 1024} KB.`,
    415: 'The content type is not `application/octet-stream`.',
  },
});

export const deleteImportedDocument = defineEndpoint({
  operationId: 'deleteImportedDocument',
  tag,
  summary: 'Deletes an uploaded document with its text',
  method: 'DELETE',
  path: `${path}/{documentId}`,
  params: Type.Object({ id: Id, documentId: Id }),
  responses: { 204: null },
  access: access.write({ project: 'managed' }),
  refusals: { 409: 'The document was imported, not uploaded.' },
});

/** Result of an import, by source. */
export const DocumentImport = Type.Object(
  {
    sources: Type.Array(
      Type.Object({
        source: Type.String({
          description: '`settings`, or the name of a source of the embedding application.',
        }),
        isRead: Type.Boolean({
          description: 'False: the source could not be read, and its documents did not change.',
        }),
        isSuperseded: Type.Boolean({
          description:
            'True: another import read the source later and stored its reading first. This import changed nothing.',
        }),
        imported: Type.Integer({ minimum: 0, description: 'New and changed documents.' }),
        archived: Type.Integer({
          minimum: 0,
          description: 'Documents that the source no longer contains.',
        }),
        leftOut: Type.Array(Type.Object({ path: Type.String(), reason: wordOf(leftOutReasons) }), {
          description: `The first ${plural(leftOutShownMax, 'document')} that were not imported.`,
        }),
        leftOutCount: Type.Integer({ minimum: 0 }),
      }),
    ),
  },
  { $id: 'DocumentImport' },
);
export type DocumentImport = Static<typeof DocumentImport>;

export const importDocumentsNow = defineEndpoint({
  operationId: 'importDocumentsNow',
  tag,
  summary: "Imports the documents of a project from the operator's folders immediately",
  method: 'POST',
  path: '/svc/api/projects/{id}/document-import',
  params: IdParams,
  responses: { 200: DocumentImport },
  access: access.write({ project: 'managed' }),
  refusals: { 409: 'The operator configured no folder for this project, or an import is running.' },
});
