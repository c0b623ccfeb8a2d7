import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

const tag = 'projects';

export const scanStatuses = ['NotScanned', 'Waiting', 'Scanning', 'Completed', 'Failed'] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/** Reasons why a scan failed. The list is closed: the server's own message is never shown. */
export const scanFailures = [
  'NotReached',
  'NotAllowed',
  'TokenRefused',
  'NotFound',
  'Redirected',
  'NoGitServer',
  'BranchNotFound',
  'TooLarge',
  'TooLong',
  'Unreadable',
] as const;
export type ScanFailure = (typeof scanFailures)[number];

/** Kinds of reference to a table: SQL that reads or writes it, its model, a migration, or merely its name. */
export const codeReferenceKinds = ['RawSql', 'Model', 'Migration', 'Other'] as const;
export type CodeReferenceKind = (typeof codeReferenceKinds)[number];

const url = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Address for cloning over HTTPS, without user or password.',
});
const branch = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^(?!-)[^\\s~^:?*\\[\\\\\\x00-\\x1f]+$',
  description: 'Default `main`.',
});

export const Repository = Type.Object(
  {
    id: Id,
    projectId: Id,
    name: Type.String({ description: 'Last segment of the address.' }),
    url: Type.String(),
    branch: Type.String(),
    hasToken: Type.Boolean(),
    scanStatus: wordOf(scanStatuses),
    scanFailure: nullable(wordOf(scanFailures)),
    scannedAt: nullable(Time),
    commitId: nullable(Type.String({ description: 'Commit of the last scan.' })),
    fileCount: nullable(Type.Integer({ minimum: 0, description: 'Files that the last scan read.' })),
    referenceCount: Type.Integer({ minimum: 0 }),
    isCut: Type.Boolean({
      description:
        'The repository exceeds the limit of 20,000 files of at most 1 MB each. The scan omits the rest.',
    }),
    createdTime: Time,
    updatedAt: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { $id: 'Repository' },
);
export type Repository = Static<typeof Repository>;

export const CodeReference = Type.Object({
  id: Id,
  repositoryId: Id,
  repositoryName: Type.String(),
  path: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  table: Type.String({ description: 'Name as in the data source.' }),
  kind: wordOf(codeReferenceKinds),
  snippet: nullable(
    Type.String({
      description: 'Text of the line, at most 300 characters; null if it may contain a secret.',
    }),
  ),
});
export type CodeReference = Static<typeof CodeReference>;

const ofProject = '/svc/api/projects/{id}/repositories';
const one = '/svc/api/projects/repositories/{id}';
const changedMeanwhile = { 412: 'If-Match names an earlier version of the record.' } as const;
const badUrl = 'The address is not valid, or HTTPS connections to it are not allowed.';
const twin = 'The project already has this branch of this repository.';

/** Sort names: `url`, `createdTime`, `scannedAt`, `referenceCount`; default `url`. */
export const listRepositories = defineEndpoint({
  operationId: 'listRepositories',
  tag,
  summary: 'Repositories with the code of a project',
  method: 'GET',
  path: ofProject,
  params: IdParams,
  query: Type.Object({ ...listQuery }),
  responses: { 200: pageOf(Repository) },
  access: access.read({ project: 'readable' }),
});

export const AddRepositoryBody = Type.Object({ url, branch: Type.Optional(branch) });

export const addRepository = defineEndpoint({
  operationId: 'addRepository',
  tag,
  summary: 'Adds a repository to a project; the first scan reads it',
  method: 'POST',
  path: ofProject,
  params: IdParams,
  body: AddRepositoryBody,
  responses: { 201: Repository },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 400: badUrl, 409: twin },
});

export const ChangeRepositoryBody = Type.Object({ url: Type.Optional(url), branch: Type.Optional(branch) });

export const changeRepository = defineEndpoint({
  operationId: 'changeRepository',
  tag,
  summary: 'Changes the address or branch of a repository; another scheme, host or port removes the token',
  method: 'PATCH',
  path: one,
  params: IdParams,
  body: ChangeRepositoryBody,
  responses: { 200: Repository },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 400: badUrl, 409: twin, ...changedMeanwhile },
});

export const removeRepository = defineEndpoint({
  operationId: 'removeRepository',
  tag,
  summary: 'Removes a repository from its project, with its token and its code references',
  method: 'DELETE',
  path: one,
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const SetRepositoryTokenBody = Type.Object({
  token: nullable(Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x21-\\x7e]+$' })),
});

export const setRepositoryToken = defineEndpoint({
  operationId: 'setRepositoryToken',
  tag,
  summary: 'Sets or removes the token for scans; no response contains it',
  method: 'PUT',
  path: `${one}/token`,
  params: IdParams,
  body: SetRepositoryTokenBody,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
});

export const scanRepository = defineEndpoint({
  operationId: 'scanRepository',
  tag,
  summary: 'Scans the newest commit of the branch for lines that contain names of tables',
  method: 'POST',
  path: `${one}/scan`,
  params: IdParams,
  responses: { 202: Type.Object({ jobId: Type.String() }) },
  access: access.write({ project: 'writable' }),
});

/** Sort names: `path`, `table`; default `path`. */
export const listCodeReferences = defineEndpoint({
  operationId: 'listCodeReferences',
  tag,
  summary: 'Lines of the code of a project that contain names of tables of its data sources',
  method: 'GET',
  path: '/svc/api/projects/{id}/code-references',
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of path, table or line.' })),
    repositoryId: Type.Optional(Id),
    table: Type.Optional(
      Type.String({ maxLength: 200, description: 'Name of a table. Upper and lower case count as equal.' }),
    ),
    kind: Type.Optional(wordOf(codeReferenceKinds)),
  }),
  responses: { 200: pageOf(CodeReference) },
  access: access.read({ project: 'readable' }),
});
