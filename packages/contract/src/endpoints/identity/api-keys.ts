import { type Static, Type } from 'typebox';
import { access, scopes } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import {
  Id,
  IdParams,
  ListQuery,
  listQuery,
  NonBlank,
  nullable,
  pageOf,
  Time,
  wordOf,
} from '../../shapes.ts';

const tag = 'api-keys';

const keyFields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'First 16 characters of the key; for display only.' }),
  scopes: Type.Array(wordOf(scopes)),
  allowedProjectIds: nullable(
    Type.Array(Id, { description: 'Null for keys that were created before this list was required.' }),
  ),
  createdTime: Time,
  lastUsedAt: nullable(Time),
  expiresAt: nullable(Time),
  isActive: Type.Boolean({
    description: 'False if the key is revoked or expired, or if the state of its owner disables it.',
  }),
  isExpired: Type.Boolean(),
  revokedAt: nullable(Time),
  endsWithinDays: nullable(
    Type.Integer({
      description: '1, 3 or 14 if the key works and expires within that many days; else null.',
    }),
  ),
  replacedByKeyId: nullable(Id),
};

/** An API key as shown to its owner. */
export const ApiKey = Type.Object(keyFields, { $id: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

/** A new API key. Only this response contains the key in plain text. */
export const NewApiKey = Type.Object({ ...keyFields, plainTextKey: Type.String() }, { $id: 'NewApiKey' });
export type NewApiKey = Static<typeof NewApiKey>;

/** An API key as shown to an administrator. */
export const AdminApiKey = Type.Object(
  {
    ...keyFields,
    ownerUserId: nullable(Id),
    ownerUserName: nullable(Type.String()),
    status: wordOf(['Active', 'Inactive', 'Revoked']),
    canRevoke: Type.Boolean(),
  },
  { $id: 'AdminApiKey' },
);
export type AdminApiKey = Static<typeof AdminApiKey>;

export const ApiKeyInput = Type.Object({
  name: NonBlank(200),
  scopes: Type.Array(wordOf(scopes), { minItems: 1, maxItems: 10 }),
  allowedProjectIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }),
  expiresAt: Type.Optional(
    nullable(
      Type.String({
        maxLength: 40,
        description:
          'A date (its first instant in UTC) or a point in time. Absent, null or empty: the default lifetime.',
      }),
    ),
  ),
});
export type ApiKeyInput = Static<typeof ApiKeyInput>;

const overlapMinutesMax = 10_080;

export const ReplacementInput = Type.Object({
  overlapMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: overlapMinutesMax,
      description:
        'Minutes during which the old key remains valid, never beyond its own expiry. Default: 1,440 (one day).',
    }),
  ),
  expiresAt: ApiKeyInput.properties.expiresAt,
});
export type ReplacementInput = Static<typeof ReplacementInput>;

/** Uses of a key in the last 30 days. */
export const ApiKeyUses = Type.Object(
  {
    useCount: Type.Integer({ minimum: 0 }),
    operations: Type.Array(
      Type.Object({
        operation: Type.String({ description: 'Method and route, e.g. `GET /svc/api/projects/{id}`.' }),
        useCount: Type.Integer({ minimum: 0 }),
        lastUsedAt: Time,
      }),
      { description: 'Most used first.' },
    ),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'In UTC.' }),
        useCount: Type.Integer({ minimum: 0 }),
      }),
      { description: 'Days with at least one use, oldest first.' },
    ),
  },
  { $id: 'ApiKeyUses' },
);
export type ApiKeyUses = Static<typeof ApiKeyUses>;

/** Operations that a key may call now, with the deciding rule of each. The access entries of the endpoints decide. */
export const ApiKeyExplanation = Type.Object(
  {
    works: Type.Boolean(),
    reason: nullable(Type.String({ description: 'Reason why the key does not work; null if it works.' })),
    scopes: Type.Array(wordOf(scopes), { description: 'Scopes that the key has now.' }),
    scopeRule: Type.String({ description: 'Rule that determines these scopes from the granted scopes.' }),
    projects: Type.Array(
      Type.Object({
        projectId: Id,
        name: nullable(Type.String({ description: 'Null if the caller may not see the project.' })),
        right: nullable(wordOf(['Read', 'Write'])),
        rule: Type.String(),
      }),
    ),
    operations: Type.Array(
      Type.Object({
        operation: Type.String(),
        summary: Type.String(),
        isAllowed: Type.Boolean(),
        rule: Type.String(),
      }),
    ),
  },
  { $id: 'ApiKeyExplanation' },
);
export type ApiKeyExplanation = Static<typeof ApiKeyExplanation>;

export const listApiKeys = defineEndpoint({
  operationId: 'listApiKeys',
  tag,
  summary: "The caller's own keys, newest first",
  method: 'GET',
  path: '/svc/api/api-keys',
  query: ListQuery,
  responses: { 200: pageOf(ApiKey) },
  access: access.sessionRead(),
});

export const createApiKey = defineEndpoint({
  operationId: 'createApiKey',
  tag,
  summary: 'Creates a key; only this response contains the key',
  method: 'POST',
  path: '/svc/api/api-keys',
  body: ApiKeyInput,
  responses: { 201: NewApiKey },
  tellsSecretOnce: true,
  access: access.session('Read'),
  refusals: {
    403: 'A key with the Execute scope needs the Editor role or above.',
    404: 'A project does not exist, or the caller cannot read it without the Admin bypass.',
  },
});

export const revokeApiKey = defineEndpoint({
  operationId: 'revokeApiKey',
  tag,
  summary: "Revokes one of the caller's own keys",
  method: 'DELETE',
  path: '/svc/api/api-keys/{id}',
  params: IdParams,
  responses: { 204: null },
  access: access.session(),
});

export const replaceApiKey = defineEndpoint({
  operationId: 'replaceApiKey',
  tag,
  summary: 'Creates a key with the same name, scopes and projects; the old key expires after an overlap',
  method: 'POST',
  path: '/svc/api/api-keys/{id}/replace',
  params: IdParams,
  body: ReplacementInput,
  responses: { 201: NewApiKey },
  tellsSecretOnce: true,
  access: access.session('Read'),
  refusals: {
    403: 'A key with the Execute scope needs the Editor role or above.',
    409: 'The key no longer works, was already replaced, has no list of projects, or its owner can no longer read one of them.',
  },
});

export const getApiKeyUses = defineEndpoint({
  operationId: 'getApiKeyUses',
  tag,
  summary: "Uses of one of the caller's own keys in the last 30 days, by route and by day",
  method: 'GET',
  path: '/svc/api/api-keys/{id}/uses',
  params: IdParams,
  responses: { 200: ApiKeyUses },
  readsLate: true,
  access: access.sessionRead(),
});

export const explainApiKey = defineEndpoint({
  operationId: 'explainApiKey',
  tag,
  summary: "Current rights of one of the caller's own keys, with the rule that decides each",
  method: 'GET',
  path: '/svc/api/api-keys/{id}/explanation',
  params: IdParams,
  responses: { 200: ApiKeyExplanation },
  access: access.sessionRead(),
});

export const getAnyApiKeyUses = defineEndpoint({
  operationId: 'getAnyApiKeyUses',
  tag,
  summary: 'Uses of any key in the last 30 days, by route and by day',
  method: 'GET',
  path: '/svc/api/api-keys/admin/{id}/uses',
  params: IdParams,
  responses: { 200: ApiKeyUses },
  readsLate: true,
  access: access.sessionRead('Admin', 'Auditor', 'UserAdmin'),
});

export const explainAnyApiKey = defineEndpoint({
  operationId: 'explainAnyApiKey',
  tag,
  summary: 'Current rights of any key, with the rule that decides each',
  method: 'GET',
  path: '/svc/api/api-keys/admin/{id}/explanation',
  params: IdParams,
  responses: { 200: ApiKeyExplanation },
  access: access.sessionRead('Admin', 'Auditor', 'UserAdmin'),
});

export const listAllApiKeys = defineEndpoint({
  operationId: 'listAllApiKeys',
  tag,
  summary: 'Keys of all users, newest first',
  method: 'GET',
  path: '/svc/api/api-keys/admin',
  query: Type.Object({ ...listQuery, userId: Type.Optional(Id) }),
  responses: { 200: pageOf(AdminApiKey) },
  access: access.sessionRead('Admin', 'Auditor', 'UserAdmin'),
});

export const revokeAnyApiKey = defineEndpoint({
  operationId: 'revokeAnyApiKey',
  tag,
  summary: "Revokes another user's key",
  method: 'DELETE',
  path: '/svc/api/api-keys/admin/{id}',
  params: IdParams,
  responses: { 204: null },
  access: access.session('Admin', 'UserAdmin'),
  refusals: {
    403: 'A UserAdmin may not revoke keys of Admins, super admins and holders of functional permissions.',
  },
});
