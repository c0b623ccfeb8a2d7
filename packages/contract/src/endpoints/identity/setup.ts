import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { rateLimits } from '../../rate-limits.ts';
import { ListQuery, NonBlank, nullable, pageOf } from '../../shapes.ts';
import { Role, User, UserName } from './users.ts';

const tag = 'setup';

export const SetupRequest = Type.Object({
  setupToken: NonBlank(1_024),
  userName: UserName,
  displayName: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  email: Type.Optional(nullable(Type.String({ maxLength: 320 }))),
  password: Type.String({ minLength: 1, maxLength: 256 }),
  confirmPassword: Type.String({ minLength: 1, maxLength: 256 }),
});
export type SetupRequest = Static<typeof SetupRequest>;

export const getSetupStatus = defineEndpoint({
  operationId: 'getSetupStatus',
  tag,
  summary: 'Reports whether the first-run setup is open',
  method: 'GET',
  path: '/svc/api/setup/status',
  responses: { 200: Type.Object({ isOpen: Type.Boolean() }) },
  access: access.anonymous({ isOpenBeforeSetup: true }),
});

export const listSetupRoles = defineEndpoint({
  operationId: 'listSetupRoles',
  tag,
  summary: 'Roles of the service; anonymous access only while setup is open',
  method: 'GET',
  path: '/svc/api/setup/roles',
  query: ListQuery,
  responses: { 200: pageOf(Role) },
  access: access.anonymous({ isOpenBeforeSetup: true }),
  refusals: { 401: 'Setup is closed, and the caller is not signed in.' },
});

export const createSuperAdmin = defineEndpoint({
  operationId: 'createSuperAdmin',
  tag,
  summary: 'Creates the first administrator and closes the setup permanently',
  method: 'POST',
  path: '/svc/api/setup/superadmin',
  body: SetupRequest,
  responses: { 201: User },
  access: access.anonymous({ isOpenBeforeSetup: true }),
  rateLimit: rateLimits.setup,
  refusals: {
    400: 'The setup is closed, or the input cannot be accepted.',
    403: 'The setup token is wrong, or another site sent the request.',
    409: 'Another setup finished first.',
    429: 'Too many attempts from this address.',
  },
});
