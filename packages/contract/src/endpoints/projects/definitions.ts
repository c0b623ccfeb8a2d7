import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { definitionKinds, sluggedKinds } from '../../definition-kinds.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, mapOf, nullable, Time, wordOf } from '../../shapes.ts';

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
      description:
        'Path from the root of the folder, with "/" as separator: `projects/shop/queries/late-orders.yaml`.',
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
  description:
    'Values of the secrets to which the files refer, by name. Plans, logs and responses do not contain them.',
});

/** Identifies the manager that applies a folder. A manager never prunes records of another manager. */
const Manager = Type.String({
  ...Slug,
  description: 'Name of the folder that manages the records. Default `default`.',
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
        '`Drifted`: a user changed the record after it was applied, and applying restores it. `Replace`: a new record replaces it. `AwaitsApproval`: the same change already awaits approval. `Orphaned`: the manager applied the record earlier, and its file no longer exists.',
    }),
    members: Type.Array(Type.String(), { description: 'JSON pointers of the members that change.' }),
    needsApproval: Type.Boolean({ description: 'Applying the step creates an approval request.' }),
    needsSecrets: Type.Array(Type.String(), {
      description: 'Names of the secrets that applying the step requires.',
    }),
    reason: nullable(
      Type.String({
        description:
          'Reason why the step is not allowed or the record not deletable; for other actions, the effect on the record.',
      }),
    ),
  },
  { $id: 'DefinitionStep' },
);
export type DefinitionStep = Static<typeof DefinitionStep>;

export const DefinitionPlan = Type.Object(
  {
    planId: Type.String({ format: 'uuid' }),
    expiresAt: Time,
    steps: Type.Array(DefinitionStep, { description: 'Steps in the order in which they are applied.' }),
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
        '`Nothing`: no change was necessary. `Released`: the file of the record no longer exists, and users may change the record again. `Skipped`: a record that this one depends on failed.',
    }),
    code: nullable(Type.String({ description: 'Problem code of the failure.' })),
    detail: nullable(Type.String()),
    members: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Members that caused the failure.',
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
      description: 'Projects to export. Default: all projects that the caller can read.',
    }),
  ),
  kinds: Type.Optional(
    Type.Array(wordOf(definitionKinds), {
      maxItems: definitionKinds.length,
      description: 'Kinds to export. Default: all.',
    }),
  ),
});

export const exportDefinitions = defineEndpoint({
  operationId: 'exportDefinitions',
  tag,
  summary: 'Exports records as YAML files without secrets, one file for each record',
  method: 'POST',
  path: `${path}/export`,
  body: ExportDefinitionsBody,
  responses: {
    200: Type.Object({
      files: Type.Array(DefinitionFile, { description: 'Sorted by path.' }),
      omitted: Type.Array(Type.Object({ ...subject, reason: Type.String() }), {
        description: 'Records that the caller can see but not read in full.',
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
        'From then on, users can change the applied records only through their files, until an Admin releases them. Records without a file are released.',
    }),
  ),
  prune: Type.Optional(
    Type.Boolean({
      description: 'Deletes records that the manager applied earlier and whose files no longer exist.',
    }),
  ),
  secrets: Type.Optional(Secrets),
});

export const planDefinitions = defineEndpoint({
  operationId: 'planDefinitions',
  tag,
  summary: 'Returns the changes that applying the files would make, and changes nothing',
  method: 'POST',
  path: `${path}/plan`,
  body: PlanDefinitionsBody,
  responses: { 200: DefinitionPlan },
  access: access.write(),
  refusals: { 400: 'A file cannot be read, or one of its members is not valid. `errors` names both.' },
});

export const ApplyDefinitionsBody = Type.Object({
  planId: Type.String({ format: 'uuid' }),
  secrets: Type.Optional(Secrets),
  force: Type.Optional(
    Type.Boolean({
      description: 'Allows the plan to delete more than a fifth of the records that the manager applied.',
    }),
  ),
});

export const applyDefinitions = defineEndpoint({
  operationId: 'applyDefinitions',
  tag,
  summary: 'Applies a plan once, record by record, with the rights of the caller',
  method: 'POST',
  path: `${path}/apply`,
  body: ApplyDefinitionsBody,
  responses: { 200: Type.Object({ results: Type.Array(DefinitionResult) }) },
  access: access.write(),
  refusals: {
    404: 'The plan no longer exists, or belongs to another user.',
    409: 'The plan was already applied, or deletes more than a fifth of the records that the manager applied.',
  },
});

const ObjectParams = Type.Object({ kind: wordOf(definitionKinds), id: Id });

/** Definition state of a record. */
export const DefinitionObject = Type.Object(
  {
    kind: wordOf(definitionKinds),
    id: Id,
    slug: Type.String(),
    manager: nullable(
      Type.String({ description: 'Manager that applied the record; null: it was not applied from a file.' }),
    ),
    appliedAt: nullable(Time),
    isManaged: Type.Boolean({
      description:
        'The record can be changed only through its file. Any other change returns 409 `managed-from-code`.',
    }),
  },
  { $id: 'DefinitionObject' },
);
export type DefinitionObject = Static<typeof DefinitionObject>;

export const getDefinitionObject = defineEndpoint({
  operationId: 'getDefinitionObject',
  tag,
  summary: 'The slug of a record and the manager that applied it from a file',
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
  summary: 'Changes the slug of a record',
  method: 'PATCH',
  path: `${path}/objects/{kind}/{id}`,
  params: Type.Object({ kind: wordOf(sluggedKinds), id: Id }),
  body: Type.Object({ slug: Slug }),
  responses: { 200: DefinitionObject },
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'Another record of this kind has the slug, or files manage the record.' },
});

export const releaseDefinitionObject = defineEndpoint({
  operationId: 'releaseDefinitionObject',
  tag,
  summary: 'Releases a record from management by files, so that users can change it again',
  method: 'POST',
  path: `${path}/objects/{kind}/{id}/release`,
  params: ObjectParams,
  responses: { 200: DefinitionObject },
  access: access.administer(),
});
