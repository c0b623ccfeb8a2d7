import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

const tag = 'eval';
const path = '/svc/api/eval/golden';
const questionLengthMax = 4000;
const sqlLengthMax = 100_000;
const notesLengthMax = 2000;

const content = {
  dataSourceId: Id,
  question: NonBlank(questionLengthMax),
  expected: wordOf(['Rows', 'NoAnswer'], {
    description: '`NoAnswer`: the data cannot answer the question, and any statement would be wrong.',
  }),
  sql: nullable(NonBlank(sqlLengthMax), {
    description: 'Statement that returns the right rows; null if `expected` is `NoAnswer`.',
  }),
  notes: nullable(Type.String({ maxLength: notesLengthMax })),
  isActive: Type.Boolean(),
};

export const GoldenExample = Type.Object(
  {
    id: Id,
    projectId: Id,
    projectName: Type.String(),
    dataSourceName: nullable(Type.String(), { description: 'Null: the data source no longer exists.' }),
    ...content,
    isBroken: Type.Boolean({
      description: 'The data source is no longer linked, or the last check refused the statement.',
    }),
    brokenReason: nullable(Type.String()),
    checkedAt: nullable(Time, { description: 'Time of the last check of the statement.' }),
    createdTime: Time,
    updatedAt: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'GoldenExample' },
);
export type GoldenExample = Static<typeof GoldenExample>;

const Input = {
  dataSourceId: content.dataSourceId,
  question: content.question,
  expected: Type.Optional(content.expected),
  sql: Type.Optional(content.sql),
  notes: Type.Optional(content.notes),
  isActive: Type.Optional(content.isActive),
};
const GoldenInput = Type.Object(Input);

/** A new or replaced example. Default: `Rows` is expected, and the example is active. */
export type GoldenInput = Static<typeof GoldenInput>;

const badExample =
  'The data source is not linked to the project, or a gate of `dry_run` refuses the statement.';
const twin = 'The project already has an example for this question on this data source.';
const notAsked = 'The data source was unavailable, so the statement was not checked.';
const changedMeanwhile = 'If-Match names an earlier version of the example.';

/** Sort names: `question`, `createdTime`, `checkedAt`; default `question`. */
export const listGoldenExamples = defineEndpoint({
  operationId: 'listGoldenExamples',
  tag,
  summary: 'Lists golden examples: questions with a known right answer',
  method: 'GET',
  path,
  query: Type.Object({
    ...listQuery,
    projectId: Type.Optional(Id),
    dataSourceId: Type.Optional(Id),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the question, the statement or the notes.' }),
    ),
    includeInactive: Type.Optional(Type.Boolean()),
    brokenOnly: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: pageOf(GoldenExample) },
  access: access.administerRead(),
});

export const createGoldenExample = defineEndpoint({
  operationId: 'createGoldenExample',
  tag,
  summary: 'Adds a golden example; the gates of dry_run check its statement first',
  method: 'POST',
  path,
  body: Type.Object({ projectId: Id, ...Input }),
  responses: { 201: GoldenExample },
  sends: ['ETag'],
  access: access.administer(),
  refusals: { 400: badExample, 404: 'The project does not exist.', 409: twin, 424: notAsked },
});

export const getGoldenExample = defineEndpoint({
  operationId: 'getGoldenExample',
  tag,
  summary: 'Reads one golden example',
  method: 'GET',
  path: `${path}/{id}`,
  params: IdParams,
  responses: { 200: GoldenExample },
  sends: ['ETag'],
  access: access.administerRead(),
});

/** The project does not change. Members that the body omits get the defaults of a new example. */
export const replaceGoldenExample = defineEndpoint({
  operationId: 'replaceGoldenExample',
  tag,
  summary: 'Replaces the content of a golden example; its project does not change',
  method: 'PUT',
  path: `${path}/{id}`,
  params: IdParams,
  body: GoldenInput,
  responses: { 200: GoldenExample },
  sends: ['ETag'],
  access: access.administer(),
  refusals: { 400: badExample, 409: twin, 412: changedMeanwhile, 424: notAsked },
});

export const deleteGoldenExample = defineEndpoint({
  operationId: 'deleteGoldenExample',
  tag,
  summary: 'Deletes a golden example',
  method: 'DELETE',
  path: `${path}/{id}`,
  params: IdParams,
  responses: { 204: null },
  access: access.administer(),
  refusals: { 412: changedMeanwhile },
});

export const GoldenRecheck = Type.Object({
  checkedCount: Type.Integer({ minimum: 0, description: 'Examples whose statements were checked.' }),
  brokenCount: Type.Integer({ minimum: 0, description: 'Checked examples that are broken.' }),
  uncheckedCount: Type.Integer({
    minimum: 0,
    description: 'Examples whose data source was unavailable. Their marks do not change.',
  }),
  remainingCount: Type.Integer({
    minimum: 0,
    description: 'Examples that were not checked within the time limit. Another request continues with them.',
  }),
});
export type GoldenRecheck = Static<typeof GoldenRecheck>;

/** Starts with the examples whose last check is oldest; ends after about 30 s. */
export const recheckGoldenExamples = defineEndpoint({
  operationId: 'recheckGoldenExamples',
  tag,
  summary: 'Checks active golden examples at their data sources again, and marks broken examples',
  method: 'POST',
  path: `${path}/recheck`,
  body: Type.Object({ projectId: Type.Optional(Id) }),
  responses: { 200: GoldenRecheck },
  access: access.administer(),
});
