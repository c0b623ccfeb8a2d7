import { type Static, Type } from 'typebox';
import { access, globalRoles, permissions } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, ListQuery, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { Session } from './user-settings.ts';

const tag = 'users';

/** All roles that a user can have: global roles, and one role for each functional permission. */
export const roleNames = [...globalRoles, ...permissions] as const;
export type RoleName = (typeof roleNames)[number];

export const UserName = Type.String({
  minLength: 3,
  maxLength: 100,
  pattern: '^\\S(.*\\S)?$',
  description: 'Unique; upper and lower case count as equal. No space at the start or end.',
});

/** A role of users. Global roles have a level; functional roles grant one permission. */
export const Role = Type.Object(
  {
    name: wordOf(roleNames),
    kind: wordOf(['Global', 'Functional']),
    level: Type.Integer({
      minimum: 0,
      maximum: 3,
      description: 'Admin 3, Editor 2, Viewer 1, functional 0.',
    }),
    description: Type.String(),
  },
  { $id: 'Role' },
);
export type Role = Static<typeof Role>;

export const User = Type.Object(
  {
    id: Id,
    userName: Type.String(),
    displayName: nullable(Type.String()),
    email: nullable(Type.String()),
    kind: wordOf(['Internal', 'External']),
    issuer: nullable(Type.String({ description: 'Identity provider of an external user.' })),
    subject: nullable(Type.String({ description: 'Id of an external user at its provider.' })),
    isSuperAdmin: Type.Boolean(),
    isEnabled: Type.Boolean(),
    mustChangePassword: Type.Boolean(),
    roles: Type.Array(wordOf(roleNames), {
      description: 'All roles, granted here or by the identity provider.',
    }),
    grantedRoles: Type.Array(wordOf(roleNames), {
      description: 'Roles that were granted here, without the roles of the identity provider.',
    }),
    lastSignedInAt: nullable(Time),
    createdTime: Time,
    archivedAt: nullable(Time),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;

const DisplayName = Type.Optional(nullable(Type.String({ maxLength: 200 })));
const Email = Type.Optional(nullable(Type.String({ maxLength: 320 })));
const Roles = Type.Array(wordOf(roleNames), { maxItems: roleNames.length, uniqueItems: true });

export const InternalUserInput = Type.Object({
  userName: UserName,
  displayName: DisplayName,
  email: Email,
  password: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The user must change it at the first sign-in.',
  }),
  roles: Type.Optional(Roles),
});
export type InternalUserInput = Static<typeof InternalUserInput>;

export const ExternalUserInput = Type.Object({
  issuer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Optional if exactly one identity provider is configured.',
    }),
  ),
  subject: Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S' }),
  userName: UserName,
  displayName: DisplayName,
  email: Email,
  roles: Type.Optional(Roles),
});
export type ExternalUserInput = Static<typeof ExternalUserInput>;

export const UserInput = Type.Object({
  userName: Type.Optional(UserName),
  displayName: DisplayName,
  email: Email,
  isEnabled: Type.Optional(Type.Boolean()),
});
export type UserInput = Static<typeof UserInput>;

const managed = {
  403: 'Only an Admin may change Admins, super admins and holders of functional permissions, or grant such roles. No user may change their own roles or enabled state.',
  409: 'The user name is in use, or the service would lose its last super admin.',
};

export const listUsers = defineEndpoint({
  operationId: 'listUsers',
  tag,
  summary: 'Users',
  method: 'GET',
  path: '/svc/api/users',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of user name, email or display name.' }),
    ),
    includeArchived: Type.Optional(Type.Boolean()),
    role: Type.Optional(wordOf(roleNames)),
    isEnabled: Type.Optional(
      Type.Boolean({ description: 'True: only users who may sign in. False: only users who may not.' }),
    ),
  }),
  responses: { 200: pageOf(User) },
  access: access.administerRead('UserAdmin'),
});

export const listRoles = defineEndpoint({
  operationId: 'listRoles',
  tag,
  summary: 'Roles that users can have, highest level first',
  method: 'GET',
  path: '/svc/api/users/roles',
  query: ListQuery,
  responses: { 200: pageOf(Role) },
  access: access.administerRead('UserAdmin'),
});

export const getUser = defineEndpoint({
  operationId: 'getUser',
  tag,
  summary: 'One user; archived users included',
  method: 'GET',
  path: '/svc/api/users/{id}',
  params: IdParams,
  responses: { 200: User },
  access: access.administerRead('UserAdmin'),
});

export const createInternalUser = defineEndpoint({
  operationId: 'createInternalUser',
  tag,
  summary: 'Adds a user who signs in with a password',
  method: 'POST',
  path: '/svc/api/users/internal',
  body: InternalUserInput,
  responses: { 201: User },
  access: access.administer('UserAdmin'),
  refusals: managed,
});

export const createExternalUser = defineEndpoint({
  operationId: 'createExternalUser',
  tag,
  summary: 'Adds a user who signs in at the identity provider',
  method: 'POST',
  path: '/svc/api/users/external',
  body: ExternalUserInput,
  responses: { 201: User },
  access: access.administer('UserAdmin'),
  refusals: managed,
});

export const updateUser = defineEndpoint({
  operationId: 'updateUser',
  tag,
  summary: 'Changes a user; absent members do not change, and empty values are cleared',
  method: 'PUT',
  path: '/svc/api/users/{id}',
  params: IdParams,
  body: UserInput,
  responses: { 200: User },
  access: access.administer('UserAdmin'),
  refusals: managed,
});

export const SetUserRolesBody = Type.Object({ roles: Roles });

export const setUserRoles = defineEndpoint({
  operationId: 'setUserRoles',
  tag,
  summary: 'Replaces the granted roles of a user; roles of the identity provider do not change',
  method: 'PUT',
  path: '/svc/api/users/{id}/roles',
  params: IdParams,
  body: SetUserRolesBody,
  responses: { 200: User },
  access: access.administer('UserAdmin'),
  refusals: { 403: managed[403] },
});

export const toggleUserEnabled = defineEndpoint({
  operationId: 'toggleUserEnabled',
  tag,
  summary: 'Disables an enabled user, or enables a disabled user',
  method: 'POST',
  path: '/svc/api/users/{id}/toggle-enabled',
  params: IdParams,
  responses: { 200: User },
  access: access.administer('UserAdmin'),
  refusals: managed,
});

export const archiveUser = defineEndpoint({
  operationId: 'archiveUser',
  tag,
  summary: "Archives a user permanently: the user can no longer sign in, and the user's keys no longer work",
  method: 'DELETE',
  path: '/svc/api/users/{id}',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('UserAdmin'),
  refusals: managed,
});

export const signUserOutEverywhere = defineEndpoint({
  operationId: 'signUserOutEverywhere',
  tag,
  summary: 'Ends all sessions of a user',
  method: 'POST',
  path: '/svc/api/users/{id}/sign-out-everywhere',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('UserAdmin'),
});

export const listUserSessions = defineEndpoint({
  operationId: 'listUserSessions',
  tag,
  summary: 'Browsers in which a user is signed in, latest sign-in first',
  method: 'GET',
  path: '/svc/api/users/{id}/sessions',
  params: IdParams,
  query: ListQuery,
  responses: { 200: pageOf(Session) },
  access: access.administerRead('UserAdmin'),
});

export const endUserSession = defineEndpoint({
  operationId: 'endUserSession',
  tag,
  summary: 'Ends one session of a user',
  method: 'DELETE',
  path: '/svc/api/users/{id}/sessions/{sessionId}',
  params: Type.Object({ id: Id, sessionId: Id }),
  responses: { 204: null },
  access: access.administer('UserAdmin'),
  refusals: { 404: 'The session does not exist, belongs to another user, or has ended.' },
});
