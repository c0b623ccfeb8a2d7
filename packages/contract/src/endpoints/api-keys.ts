import { type Static, Type } from 'typebox';
import { access, scopes } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, ListQuery, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../shapes.ts';

const tag = 'api-keys';

const keyFields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'First 16 characters of the key; for display only.' }),
  scopes: Type.Array(wordOf(scopes)),
  allowedProjectIds: nullable(
    Type.Array(Id, { description: 'Null for keys made before a list was required.' }),
  ),
  createdTime: Time,
  lastUsedAt: nullable(Time),
  expiresAt: nullable(Time),
  isActive: Type.Boolean({
    description: 'False once revoked, expired, or stopped by the state of its owner.',
  }),
  isExpired: Type.Boolean(),
  revokedAt: nullable(Time),
};

/** An API key, as its owner sees it. */
export const ApiKey = Type.Object(keyFields, { $id: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

/** An API key that was just made: the only time that the key itself is told. */
export const NewApiKey = Type.Object({ ...keyFields, plainTextKey: Type.String() }, { $id: 'NewApiKey' });
export type NewApiKey = Static<typeof NewApiKey>;

/** An API key, as an administrator sees it. */
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
  summary: 'Makes a key; the answer is the only place where it is told',
  method: 'POST',
  path: '/svc/api/api-keys',
  body: ApiKeyInput,
  responses: { 201: NewApiKey },
  access: access.session('Read'),
  refusals: {
    403: 'Execute keys need the Editor role or above.',
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

export const listAllApiKeys = defineEndpoint({
  operationId: 'listAllApiKeys',
  tag,
  summary: "Everybody's keys, newest first",
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
