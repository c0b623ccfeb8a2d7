import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { documentationKinds, documentationProvenances } from './documentation.ts';

const path = '/svc/api/projects/{id}/documentation/versions';

/**
 * Causes of a version. `Taken`: a user replaced their text with the generated one. `Patched`: a learned sentence was
 * added. `Earlier`: the text from before versions were stored.
 */
export const documentationCauses = ['Generated', 'Written', 'Taken', 'Patched', 'Earlier'] as const;
export type DocumentationCause = (typeof documentationCauses)[number];

const change = {
  kind: wordOf(documentationKinds),
  title: Type.String(),
  provenance: wordOf(documentationProvenances),
  addedLines: Type.Integer({ minimum: 0 }),
  removedLines: Type.Integer({ minimum: 0 }),
};

const version = {
  number: Type.Integer({ minimum: 1, description: 'Number within the project, starting at 1.' }),
  cause: wordOf(documentationCauses),
  madeByUserName: nullable(Type.String()),
  createdTime: Time,
};

export const DocumentationVersion = Type.Object(
  { ...version, changes: Type.Array(Type.Object(change), { description: 'Sections whose text changed.' }) },
  { $id: 'DocumentationVersion' },
);
export type DocumentationVersion = Static<typeof DocumentationVersion>;

export const DocumentationVersionDetail = Type.Object(
  {
    ...version,
    changes: Type.Array(
      Type.Object({
        ...change,
        content: Type.String({ description: 'Markdown text after the change.' }),
        previousContent: nullable(Type.String(), {
          description:
            'Markdown text before the change. Null: the section was new, or the earlier text is no longer stored.',
        }),
      }),
    ),
  },
  { $id: 'DocumentationVersionDetail' },
);
export type DocumentationVersionDetail = Static<typeof DocumentationVersionDetail>;

/** Sort names: `number`; default `-number`. */
export const listDocumentationVersions = defineEndpoint({
  operationId: 'listDocumentationVersions',
  tag: 'projects',
  summary: 'Lists the versions of the documentation of a project, with the sections that each changed',
  method: 'GET',
  path,
  params: IdParams,
  query: Type.Object(listQuery),
  responses: { 200: pageOf(DocumentationVersion) },
  access: access.read({ project: 'readable' }),
});

export const getDocumentationVersion = defineEndpoint({
  operationId: 'getDocumentationVersion',
  tag: 'projects',
  summary: 'Reads the sections that a version changed, before and after the change',
  method: 'GET',
  path: `${path}/{number}`,
  params: Type.Object({ id: Id, number: Id }),
  responses: { 200: DocumentationVersionDetail },
  access: access.read({ project: 'readable' }),
  refusals: { 404: 'The version does not exist or is no longer stored.' },
});
