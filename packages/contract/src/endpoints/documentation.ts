import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, nullable, Time, wordOf } from '../shapes.ts';

const tag = 'projects';

/** Sections that records can fill. */
export const generatedKinds = ['DataModel', 'DataFlows', 'CodeLineage', 'DataQuality'] as const;
export type GeneratedKind = (typeof generatedKinds)[number];
/** Every section, in the order in which they are read. `Notes` are written by people alone, and grow by patches. */
export const documentationKinds = [...generatedKinds, 'Notes'] as const;
export type DocumentationKind = (typeof documentationKinds)[number];

/** `Facts`: made from records. `Person`: somebody wrote it, and no generation overwrites it. */
export const documentationProvenances = ['Facts', 'Person'] as const;
export const documentationFormats = ['Markdown', 'Html'] as const;

const contentLengthMax = 500_000;

export const DocumentationSection = Type.Object(
  {
    kind: wordOf(documentationKinds),
    title: Type.String(),
    content: Type.String({ description: 'Markdown; HTML in it is shown as text.' }),
    provenance: wordOf(documentationProvenances),
    proposedContent: nullable(
      Type.String({ description: 'What was generated since a person wrote the section.' }),
    ),
    generatedAt: nullable(Time),
    editedByUserName: nullable(Type.String()),
    editedAt: nullable(Time),
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'DocumentationSection' },
);
export type DocumentationSection = Static<typeof DocumentationSection>;

const path = '/svc/api/projects/{id}/documentation';
const SectionParams = Type.Object({ id: Id, kind: wordOf(documentationKinds) });
const changedMeanwhile = { 412: 'If-Match names an earlier version of the section.' } as const;

/** Before the first generation there are no sections. */
export const getDocumentation = defineEndpoint({
  operationId: 'getDocumentation',
  tag,
  summary: 'The documentation of a project, section by section',
  method: 'GET',
  path,
  params: IdParams,
  responses: {
    200: Type.Object({
      projectId: Id,
      generatedAt: nullable(Time),
      sections: Type.Array(DocumentationSection),
    }),
  },
  access: access.read({ project: 'readable' }),
});

export const generateDocumentation = defineEndpoint({
  operationId: 'generateDocumentation',
  tag,
  summary: 'Makes the sections anew from what is known of the project; text of people stays',
  method: 'POST',
  path: '/svc/api/projects/{id}/generate-documentation',
  params: IdParams,
  responses: { 202: Type.Object({ jobId: Type.String() }) },
  access: access.write({ project: 'writable' }),
});

/** Writing what was proposed makes the section one of facts again. */
export const writeDocumentation = defineEndpoint({
  operationId: 'writeDocumentation',
  tag,
  summary: 'Writes a section by hand',
  method: 'PUT',
  path: `${path}/{kind}`,
  params: SectionParams,
  body: Type.Object({ content: Type.String({ maxLength: contentLengthMax }) }),
  responses: { 200: DocumentationSection },
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const dismissDocumentationProposal = defineEndpoint({
  operationId: 'dismissDocumentationProposal',
  tag,
  summary: 'Puts away what was generated beside the text of a person',
  method: 'DELETE',
  path: `${path}/{kind}/proposal`,
  params: SectionParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const exportDocumentation = defineEndpoint({
  operationId: 'exportDocumentation',
  tag,
  summary: 'The documentation as one file',
  method: 'GET',
  path: `${path}/export`,
  params: IdParams,
  query: Type.Object({ format: Type.Optional(wordOf(documentationFormats)) }),
  responses: {
    200: { contentType: 'text/markdown', description: 'Markdown, or HTML without scripts by `format=Html`.' },
  },
  access: access.read({ project: 'readable' }),
});
