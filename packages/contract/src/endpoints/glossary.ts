import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time } from '../shapes.ts';

const tag = 'glossary';
const path = '/svc/api/glossary';
const termLengthMax = 200;
const definitionLengthMax = 2000;
const synonymsMax = 20;

const Target = Type.Object({
  schema: Type.String({ maxLength: 200, description: 'Empty where the engine has no schemas.' }),
  table: NonBlank(200),
  column: nullable(NonBlank(200), { description: 'null: the table as a whole.' }),
});

/** The table or column that a term stands for. */
export type GlossaryTarget = Static<typeof Target>;

const content = {
  dataSourceId: nullable(Id, { description: 'null: the term is of the whole project.' }),
  term: NonBlank(termLengthMax),
  synonyms: Type.Array(NonBlank(termLengthMax), { maxItems: synonymsMax }),
  definition: NonBlank(definitionLengthMax),
  target: nullable(Target),
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
      description: 'The data source is not linked any more, or its metadata does not have the target.',
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
  isActive: Type.Optional(content.isActive),
};
const GlossaryInput = Type.Object(Input);

/** What a term is made or replaced with; what is left out is empty, and the term active. */
export type GlossaryInput = Static<typeof GlossaryInput>;

const unknownTarget = 'The data source is not linked, or its metadata does not have the target.';
const twin = 'The project has this term, in whatever case.';
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
        maxLength: termLengthMax,
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
  access: access.administer(),
  refusals: { 400: unknownTarget, 404: 'There is no such project.', 409: twin },
});

export const getGlossaryTerm = defineEndpoint({
  operationId: 'getGlossaryTerm',
  tag,
  summary: 'Reads one term of the glossary',
  method: 'GET',
  path: `${path}/{id}`,
  params: IdParams,
  responses: { 200: GlossaryTerm },
  access: access.administerRead(),
});

/** The project stays. What the body leaves out is empty afterwards. */
export const replaceGlossaryTerm = defineEndpoint({
  operationId: 'replaceGlossaryTerm',
  tag,
  summary: 'Replaces what a term says; its project stays',
  method: 'PUT',
  path: `${path}/{id}`,
  params: IdParams,
  body: GlossaryInput,
  responses: { 200: GlossaryTerm },
  access: access.administer(),
  refusals: { 400: unknownTarget, 409: twin, 412: changedMeanwhile },
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
