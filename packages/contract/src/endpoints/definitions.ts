import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { definitionKinds, sluggedKinds } from '../definition-kinds.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, mapOf, nullable, Time, wordOf } from '../shapes.ts';

const tag = 'definitions';
const path = '/svc/api/definitions';

/** Identifies a record in files and references. */
export const Slug = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$',
  description: 'Lower-case letters, digits and hyphens, e.g. `late-orders`.',
});

/** Files of one request, at most. */
export const definitionFilesMax = 5_000;
const secretsMax = 1_000;

export const DefinitionFile = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'From the top of the folder, with "/" between: `projects/shop/queries/late-orders.yaml`.',
    }),
    content: Type.String({
      maxLength: 1_048_576,
      description: 'YAML 1.2, JSON, or the SQL of a `.sql` file.',
    }),
  },
  { $id: 'DefinitionFile' },
);
export type DefinitionFile = Static<typeof DefinitionFile>;

const Secrets = mapOf(Type.String({ minLength: 1, maxLength: 16_384 }), {
  nameLengthMax: 100,
  sizeMax: secretsMax,
  description: 'Values of the secrets that files refer to, by name. They are in no plan, log or answer.',
});

/** Identifies the manager that applies a folder. A manager never prunes records of another manager. */
const Manager = Type.String({
  ...Slug,
  description: 'Names the folder that manages the records. Default `default`.',
});

/** Actions of a plan on a record. */
export const definitionActions = [
  'Create',
  'Update',
  'Unchanged',
  'Drifted',
  'Replace',
  'AwaitsApproval',
  'Orphaned',
  'Delete',
  'NotAllowed',
  'NotDeletable',
] as const;
export type DefinitionAction = (typeof definitionActions)[number];

const subject = {
  path: Type.String({ description: 'The file of the record.' }),
  kind: wordOf(definitionKinds),
  project: nullable(Type.String({ description: 'Slug of its project.' })),
  slug: Type.String(),
};

export const DefinitionStep = Type.Object(
  {
    ...subject,
    action: wordOf(definitionActions, {
      description:
        '`Drifted`: somebody changed it since it was applied, and it is put back. `Replace`: a new record takes its place. `AwaitsApproval`: exactly this waits for approval already. `Orphaned`: the manager applied it once and its file is gone.',
    }),
    members: Type.Array(Type.String(), { description: 'JSON pointers of the members that change.' }),
    needsApproval: Type.Boolean({ description: 'Applying it files a request for approval.' }),
    needsSecrets: Type.Array(Type.String(), { description: 'Secrets that applying it takes.' }),
    reason: nullable(
      Type.String({ description: 'Why it is not allowed or not deletable; what becomes of it otherwise.' }),
    ),
  },
  { $id: 'DefinitionStep' },
);
export type DefinitionStep = Static<typeof DefinitionStep>;

export const DefinitionPlan = Type.Object(
  {
    planId: Type.String({ format: 'uuid' }),
    expiresAt: Time,
    steps: Type.Array(DefinitionStep, { description: 'In the order in which they are applied.' }),
  },
  { $id: 'DefinitionPlan' },
);
export type DefinitionPlan = Static<typeof DefinitionPlan>;

/** Outcomes of a step. */
export const definitionOutcomes = [
  'Done',
  'AwaitsApproval',
  'Nothing',
  'Released',
  'Failed',
  'Skipped',
  'NotAllowed',
] as const;
export type DefinitionOutcome = (typeof definitionOutcomes)[number];

export const DefinitionResult = Type.Object(
  {
    ...subject,
    action: wordOf(definitionActions),
    outcome: wordOf(definitionOutcomes, {
      description:
        '`Nothing`: there was nothing to do. `Released`: its file is gone, and it may be changed by hand again. `Skipped`: something that it depends on failed.',
    }),
    code: nullable(Type.String({ description: 'Why it failed: a code of a problem.' })),
    detail: nullable(Type.String()),
    members: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Members that are to blame.',
    }),
  },
  { $id: 'DefinitionResult' },
);
export type DefinitionResult = Static<typeof DefinitionResult>;

export const getDefinitionSchemas = defineEndpoint({
  operationId: 'getDefinitionSchemas',
  tag,
  summary: 'JSON Schemas of the files, by the kind of record',
  method: 'GET',
  path: `${path}/schema`,
  responses: {
    200: Type.Object({
      schemas: mapOf(mapOf(Type.Unknown()), { description: 'JSON Schema 2020-12, by kind.' }),
    }),
  },
  access: access.read(),
});

export const ExportDefinitionsBody = Type.Object({
  projects: Type.Optional(
    Type.Array(Slug, {
      maxItems: 1_000,
      description: 'Only these. Default: every project that the caller reads.',
    }),
  ),
  kinds: Type.Optional(
    Type.Array(wordOf(definitionKinds), { maxItems: definitionKinds.length, description: 'Default: all.' }),
  ),
});

export const exportDefinitions = defineEndpoint({
  operationId: 'exportDefinitions',
  tag,
  summary: 'Writes records as files: YAML, one for each record, without secrets',
  method: 'POST',
  path: `${path}/export`,
  body: ExportDefinitionsBody,
  responses: {
    200: Type.Object({
      files: Type.Array(DefinitionFile, { description: 'In the order of their paths.' }),
      omitted: Type.Array(Type.Object({ ...subject, reason: Type.String() }), {
        description: 'Records that the caller sees and may not read in full.',
      }),
    }),
  },
  access: access.runByPost(),
  refusals: { 404: 'A project does not exist, or the caller may not see it.' },
});

export const PlanDefinitionsBody = Type.Object({
  files: Type.Array(DefinitionFile, { maxItems: definitionFilesMax }),
  manager: Type.Optional(Manager),
  managed: Type.Optional(
    Type.Boolean({
      description:
        'Records that are applied are changed through their files alone from then on, until an Admin releases them; those whose files are gone are given back.',
    }),
  ),
  prune: Type.Optional(
    Type.Boolean({ description: 'Deletes what the manager applied once and whose file is gone.' }),
  ),
  secrets: Type.Optional(Secrets),
});

export const planDefinitions = defineEndpoint({
  operationId: 'planDefinitions',
  tag,
  summary: 'Says what applying files would change, and changes nothing',
  method: 'POST',
  path: `${path}/plan`,
  body: PlanDefinitionsBody,
  responses: { 200: DefinitionPlan },
  access: access.write(),
  refusals: { 400: 'A file cannot be read, or a member of it is wrong; `errors` names both.' },
});

export const ApplyDefinitionsBody = Type.Object({
  planId: Type.String({ format: 'uuid' }),
  secrets: Type.Optional(Secrets),
  force: Type.Optional(
    Type.Boolean({ description: 'Deletes more than a fifth of what the manager applied, if the plan does.' }),
  ),
});

export const applyDefinitions = defineEndpoint({
  operationId: 'applyDefinitions',
  tag,
  summary: 'Does what a plan says, a record at a time, with the rights of the caller; a plan is applied once',
  method: 'POST',
  path: `${path}/apply`,
  body: ApplyDefinitionsBody,
  responses: { 200: Type.Object({ results: Type.Array(DefinitionResult) }) },
  access: access.write(),
  refusals: {
    404: 'The plan does not exist any more, or is of somebody else.',
    409: 'The plan was applied already, or deletes more than a fifth of what the manager applied.',
  },
});

const ObjectParams = Type.Object({ kind: wordOf(definitionKinds), id: Id });

/** Definition state of a record. */
export const DefinitionObject = Type.Object(
  {
    kind: wordOf(definitionKinds),
    id: Id,
    slug: Type.String(),
    manager: nullable(Type.String({ description: 'Who applied it; null: nobody did.' })),
    appliedAt: nullable(Time),
    isManaged: Type.Boolean({
      description: 'It is changed through its file alone: a change by hand answers 409 `managed-from-code`.',
    }),
  },
  { $id: 'DefinitionObject' },
);
export type DefinitionObject = Static<typeof DefinitionObject>;

export const getDefinitionObject = defineEndpoint({
  operationId: 'getDefinitionObject',
  tag,
  summary: 'The slug of a record, and who applied it from files',
  method: 'GET',
  path: `${path}/objects/{kind}/{id}`,
  params: ObjectParams,
  responses: { 200: DefinitionObject },
  access: access.read({
    project: 'readable',
    // These permissions show pages of records without the Viewer role.
    or: ['SecurityAdmin', 'DataSourceAdmin', 'Auditor', 'MigrationOperator'],
  }),
});

export const changeDefinitionSlug = defineEndpoint({
  operationId: 'changeDefinitionSlug',
  tag,
  summary: 'Gives a record another slug',
  method: 'PATCH',
  path: `${path}/objects/{kind}/{id}`,
  params: Type.Object({ kind: wordOf(sluggedKinds), id: Id }),
  body: Type.Object({ slug: Slug }),
  responses: { 200: DefinitionObject },
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'Another record of the kind has this slug, or the record is managed from files.' },
});

export const releaseDefinitionObject = defineEndpoint({
  operationId: 'releaseDefinitionObject',
  tag,
  summary: 'Gives a record that is managed from files back to whoever may change it by hand',
  method: 'POST',
  path: `${path}/objects/{kind}/{id}/release`,
  params: ObjectParams,
  responses: { 200: DefinitionObject },
  access: access.administer(),
});
