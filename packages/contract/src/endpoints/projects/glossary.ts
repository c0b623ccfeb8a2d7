import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time } from '../../shapes.ts';

const tag = 'glossary';
const path = '/svc/api/glossary';
/** Bounds of a term. */
export const glossaryLimits = {
  termLength: 200,
  definitionLength: 2000,
  synonyms: 20,
  nameLength: 200,
  metricLength: 2000,
} as const;
const { termLength, definitionLength, synonyms, nameLength, metricLength } = glossaryLimits;
const documentLengthMax = 1_048_576;
/** Terms of one document, at most. */
export const importedTermsMax = 2_000;

const Target = Type.Object({
  schema: Type.String({ maxLength: nameLength, description: 'Empty if the engine has no schemas.' }),
  table: NonBlank(nameLength),
  column: nullable(NonBlank(nameLength), { description: 'Null: the whole table.' }),
});

/** Table or column that a term names. */
export type GlossaryTarget = Static<typeof Target>;

const content = {
  dataSourceId: nullable(Id, { description: 'Null: the term applies to the whole project.' }),
  term: NonBlank(termLength),
  synonyms: Type.Array(NonBlank(termLength), { maxItems: synonyms }),
  definition: NonBlank(definitionLength),
  target: nullable(Target),
  metricExpression: nullable(NonBlank(metricLength), {
    description: 'SQL expression for one value over the rows of the target table, such as `sum(amount)`.',
  }),
  isActive: Type.Boolean(),
};

export const GlossaryTerm = Type.Object(
  {
    id: Id,
    projectId: Id,
    projectName: Type.String(),
    dataSourceName: nullable(Type.String()),
    ...content,
    isBroken: Type.Boolean({
      description:
        'The data source is no longer linked, its metadata does not contain the target, or the last check refused the term.',
    }),
    brokenReason: nullable(Type.String()),
    checkedAt: nullable(Time, {
      description: 'Time of the last check of the target by the data source.',
    }),
    createdTime: Time,
    updatedAt: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'GlossaryTerm' },
);
export type GlossaryTerm = Static<typeof GlossaryTerm>;

const Input = {
  dataSourceId: Type.Optional(content.dataSourceId),
  term: content.term,
  synonyms: Type.Optional(content.synonyms),
  definition: content.definition,
  target: Type.Optional(content.target),
  metricExpression: Type.Optional(content.metricExpression),
  isActive: Type.Optional(content.isActive),
};
export const GlossaryInput = Type.Object(Input);

/** A new or replaced term. Omitted members are empty, and the term is active. */
export type GlossaryInput = Static<typeof GlossaryInput>;

const unknownTarget =
  'The data source is not linked, its metadata does not contain the target, or it refuses the target or the metric.';
const notAsked = 'The data source was unavailable, so the target was not checked.';
const twin = 'The project already has this term. Upper and lower case count as equal.';
const changedMeanwhile = 'If-Match names an earlier version of the term.';

/** Sort names: `term`, `createdTime`; default `term`. */
export const listGlossary = defineEndpoint({
  operationId: 'listGlossary',
  tag,
  summary: 'Lists the terms of the business glossary',
  method: 'GET',
  path,
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
    search: Type.Optional(
      Type.String({
        maxLength: termLength,
        description: 'Part of the term, a synonym or the definition.',
      }),
    ),
    includeInactive: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: pageOf(GlossaryTerm) },
  access: access.administerRead(),
});

export const createGlossaryTerm = defineEndpoint({
  operationId: 'createGlossaryTerm',
  tag,
  summary: 'Adds a term to the glossary of a project',
  method: 'POST',
  path,
  body: Type.Object({ projectId: Id, ...Input }),
  responses: { 201: GlossaryTerm },
  sends: ['ETag'],
  access: access.administer(),
  refusals: { 400: unknownTarget, 404: 'The project does not exist.', 409: twin, 424: notAsked },
});

export const getGlossaryTerm = defineEndpoint({
  operationId: 'getGlossaryTerm',
  tag,
  summary: 'Reads one term of the glossary',
  method: 'GET',
  path: `${path}/{id}`,
  params: IdParams,
  responses: { 200: GlossaryTerm },
  sends: ['ETag'],
  access: access.administerRead(),
});

/** The project does not change. Members that the body omits become empty. */
export const replaceGlossaryTerm = defineEndpoint({
  operationId: 'replaceGlossaryTerm',
  tag,
  summary: 'Replaces the content of a term; its project does not change',
  method: 'PUT',
  path: `${path}/{id}`,
  params: IdParams,
  body: GlossaryInput,
  responses: { 200: GlossaryTerm },
  sends: ['ETag'],
  access: access.administer(),
  refusals: { 400: unknownTarget, 409: twin, 412: changedMeanwhile, 424: notAsked },
});

export const deleteGlossaryTerm = defineEndpoint({
  operationId: 'deleteGlossaryTerm',
  tag,
  summary: 'Deletes a term of the glossary',
  method: 'DELETE',
  path: `${path}/{id}`,
  params: IdParams,
  responses: { 204: null },
  access: access.administer(),
  refusals: { 412: changedMeanwhile },
});

export const GlossaryRecheck = Type.Object({
  checkedCount: Type.Integer({
    minimum: 0,
    description: 'Terms that their data source checked.',
  }),
  brokenCount: Type.Integer({ minimum: 0, description: 'Checked terms that are broken.' }),
  uncheckedCount: Type.Integer({
    minimum: 0,
    description: 'Terms whose data source was unavailable. Their marks do not change.',
  }),
  remainingCount: Type.Integer({
    minimum: 0,
    description: 'Terms that were not checked within the time limit. Another request continues with them.',
  }),
});
export type GlossaryRecheck = Static<typeof GlossaryRecheck>;

/** Starts with the terms whose last check is oldest; ends after about 30 s. */
export const recheckGlossary = defineEndpoint({
  operationId: 'recheckGlossary',
  tag,
  summary: 'Checks the targets of active terms at their data sources again, and marks broken terms',
  method: 'POST',
  path: `${path}/recheck`,
  body: Type.Object({ projectId: Type.Optional(Id) }),
  responses: { 200: GlossaryRecheck },
  access: access.administer(),
});

/** Columns of a glossary as CSV, in their order. */
export const glossaryColumns = [
  'term',
  'synonyms',
  'definition',
  'dataSource',
  'schema',
  'table',
  'column',
  'metricExpression',
  'isActive',
] as const;
export type GlossaryColumn = (typeof glossaryColumns)[number];

/** One cell contains all synonyms, separated by `;`. Data sources appear by name. A re-import changes nothing. */
export const exportGlossary = defineEndpoint({
  operationId: 'exportGlossary',
  tag,
  summary: 'The glossary of a project as a CSV file',
  method: 'GET',
  path: `${path}/export`,
  query: Type.Object({ projectId: Id }),
  responses: {
    200: { contentType: 'text/csv', description: 'CSV in UTF-8 with a header row and one term per record.' },
  },
  sends: ['Content-Disposition'],
  access: access.administerRead(),
  refusals: { 404: 'The project does not exist.' },
});

export const GlossaryImport = Type.Object(
  {
    createdCount: Type.Integer({ minimum: 0 }),
    changedCount: Type.Integer({ minimum: 0 }),
    unchangedCount: Type.Integer({ minimum: 0 }),
    refused: Type.Array(
      Type.Object({
        line: Type.Integer({
          minimum: 1,
          description: 'Line on which the record starts. Line 1 is the header row.',
        }),
        column: nullable(Type.Unsafe<GlossaryColumn>({ type: 'string', enum: [...glossaryColumns] })),
        message: Type.String(),
      }),
      { description: 'Refused records. With any refused record, nothing is saved.' },
    ),
  },
  { $id: 'GlossaryImport' },
);
export type GlossaryImport = Static<typeof GlossaryImport>;

export const ImportGlossaryBody = Type.Object({
  projectId: Id,
  document: Type.String({
    ...NonBlank(documentLengthMax),
    description: `CSV with a header row, as in the export. Cells are separated by \`,\`, \`;\` or tab. At most ${importedTermsMax} terms.`,
  }),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Reports the result of the import, and saves nothing.' }),
  ),
});

/**
 * Changes the project's existing terms; columns that the header row omits keep their values. Deletes nothing. The
 * import saves the whole document or nothing.
 */
export const importGlossary = defineEndpoint({
  operationId: 'importGlossary',
  tag,
  summary: 'Adds and changes terms of the glossary from a CSV document',
  method: 'POST',
  path: `${path}/import`,
  body: ImportGlossaryBody,
  responses: { 200: GlossaryImport },
  access: access.administer(),
  refusals: {
    400: 'The document is not valid, or some of its records are refused. `errors` names their lines.',
    404: 'The project does not exist.',
    409: 'Another request added one of the terms during the import.',
    412: 'Another request changed one of the terms during the import.',
  },
});
