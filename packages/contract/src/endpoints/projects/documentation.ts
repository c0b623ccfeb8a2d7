import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, nullable, Time, wordOf } from '../../shapes.ts';

const tag = 'projects';

/** Sections that the service generates from records. */
export const generatedKinds = ['DataModel', 'DataFlows', 'CodeLineage', 'DataQuality'] as const;
export type GeneratedKind = (typeof generatedKinds)[number];
/** All sections, in reading order. Only users and patches write `Notes`. */
export const documentationKinds = [...generatedKinds, 'Notes'] as const;
export type DocumentationKind = (typeof documentationKinds)[number];

/**
 * `Facts`: generated from records. `Model`: generated from records and written by a language model. `Person`: written
 * by a user, and no generation overwrites it.
 */
export const documentationProvenances = ['Facts', 'Model', 'Person'] as const;
export const generationStates = ['Waiting', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
export type GenerationState = (typeof generationStates)[number];
export const documentationFormats = ['Markdown', 'Html'] as const;

const contentLengthMax = 500_000;
/** Longest section that a model rewrites, in characters: it returns the whole text. */
const instructedLengthMax = 24_000;

export const DocumentationSection = Type.Object(
  {
    kind: wordOf(documentationKinds),
    title: Type.String(),
    content: Type.String({ description: 'Markdown. HTML in it is displayed as text.' }),
    provenance: wordOf(documentationProvenances),
    proposedContent: nullable(
      Type.String({ description: 'Text that was generated after a user wrote the section.' }),
    ),
    proposedProvenance: nullable(wordOf(['Facts', 'Model'])),
    generatedAt: nullable(Time),
    editedByUserName: nullable(Type.String()),
    editedAt: nullable(Time),
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'DocumentationSection' },
);
export type DocumentationSection = Static<typeof DocumentationSection>;

/** Cost of the calls to the language model. */
const taken = {
  tokens: Type.Object({
    input: Type.Integer(),
    output: Type.Integer(),
    isEstimated: Type.Boolean({
      description: 'The provider did not count the tokens of some calls. Their upper bounds are included.',
    }),
  }),
  cost: nullable(
    Type.Number({ description: 'Cost in the currency of the configured prices; null without prices.' }),
  ),
};

export const DocumentationGeneration = Type.Object(
  {
    id: Id,
    state: wordOf(generationStates),
    isModelAsked: Type.Boolean(),
    jobId: nullable(Type.String()),
    tablesToDescribe: Type.Integer({
      description: 'Tables that the model describes in this generation.',
    }),
    tablesDescribed: Type.Integer(),
    ...taken,
    model: nullable(Type.String()),
    failure: nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        {
          description: 'Reason why the model stopped early. The content from records is complete.',
        },
      ),
    ),
    startedByUserName: nullable(Type.String()),
    createdTime: Time,
    finishedAt: nullable(Time),
  },
  { $id: 'DocumentationGeneration' },
);
export type DocumentationGeneration = Static<typeof DocumentationGeneration>;

const path = '/svc/api/projects/{id}/documentation';
const SectionParams = Type.Object({ id: Id, kind: wordOf(documentationKinds) });
const changedMeanwhile = { 412: 'If-Match names an earlier version of the section.' } as const;

/** Empty before the first generation. */
export const getDocumentation = defineEndpoint({
  operationId: 'getDocumentation',
  tag,
  summary: 'The documentation of a project, by section',
  method: 'GET',
  path,
  params: IdParams,
  responses: {
    200: Type.Object({
      projectId: Id,
      generatedAt: nullable(Time),
      sections: Type.Array(DocumentationSection),
      generation: nullable(DocumentationGeneration, { description: 'The last generation.' }),
    }),
  },
  access: access.read({ project: 'readable' }),
});

export const generateDocumentation = defineEndpoint({
  operationId: 'generateDocumentation',
  tag,
  summary: 'Generates the sections again from the records of the project; text of users does not change',
  method: 'POST',
  path: '/svc/api/projects/{id}/generate-documentation',
  params: IdParams,
  query: Type.Object({
    model: Type.Optional(
      Type.Boolean({
        description:
          'Whether a language model describes the tables, from their names, types, keys and comments. Default: true if a model is configured.',
      }),
    ),
  }),
  responses: { 202: Type.Object({ jobId: Type.String() }) },
  access: access.write({ project: 'writable' }),
});

export const cancelDocumentation = defineEndpoint({
  operationId: 'cancelDocumentation',
  tag,
  summary: 'Cancels a running generation; sections that it has written remain',
  method: 'POST',
  path: `${path}/cancel`,
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});

/** The text is not saved: the caller reviews it and saves it with `PUT`. */
export const instructDocumentation = defineEndpoint({
  operationId: 'instructDocumentation',
  tag,
  summary: 'Has a language model rewrite the text of a section according to an instruction',
  method: 'POST',
  path: `${path}/{kind}/instruct`,
  params: SectionParams,
  body: Type.Object({
    instruction: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }),
    content: Type.Optional(
      Type.String({
        maxLength: instructedLengthMax,
        description: 'Text to rewrite. Default: the text of the section.',
      }),
    ),
  }),
  responses: {
    200: Type.Object({
      content: Type.String({ description: 'Markdown without HTML, images and links.' }),
      model: Type.String(),
      ...taken,
    }),
  },
  access: access.write({ project: 'writable' }),
});

export const WriteDocumentationBody = Type.Object({ content: Type.String({ maxLength: contentLengthMax }) });

/** Writing the proposed text unchanged sets the provenance back to facts. */
export const writeDocumentation = defineEndpoint({
  operationId: 'writeDocumentation',
  tag,
  summary: 'Saves the text of a user as a section',
  method: 'PUT',
  path: `${path}/{kind}`,
  params: SectionParams,
  body: WriteDocumentationBody,
  responses: { 200: DocumentationSection },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const dismissDocumentationProposal = defineEndpoint({
  operationId: 'dismissDocumentationProposal',
  tag,
  summary: 'Discards the generated proposal for a section that a user wrote',
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
    200: {
      contentType: 'text/markdown',
      description: 'Markdown, or with `format=Html` HTML without scripts.',
    },
  },
  sends: ['Content-Disposition'],
  access: access.read({ project: 'readable' }),
});
