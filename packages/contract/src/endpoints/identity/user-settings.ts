import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { rateLimits } from '../../rate-limits.ts';
import { Id, IdParams, ListQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { noticeKinds } from '../notifications/notices.ts';

const tag = 'user-settings';

export const themes = ['System', 'Light', 'Dark'] as const;
export type Theme = (typeof themes)[number];

/** Display settings of a user, for every browser. Null: the browser's setting. */
export const ownLook = {
  timeZone: nullable(
    Type.String({
      description: 'IANA name of the time zone of the pages. Times in the API are in UTC.',
    }),
  ),
  theme: nullable(wordOf(themes)),
};

/** A user's own account. */
export const UserSettings = Type.Object(
  {
    userId: nullable(Id),
    userName: nullable(Type.String()),
    displayName: nullable(Type.String()),
    email: nullable(Type.String()),
    kind: wordOf(['Internal', 'External', 'Host']),
    roles: Type.Array(Type.String()),
    canChangePassword: Type.Boolean(),
    mustChangePassword: Type.Boolean(),
    canChangeNames: Type.Boolean({
      description: 'False if an identity provider or the host defines the name of the user.',
    }),
    unmailedNoticeKinds: Type.Array(wordOf(noticeKinds), {
      description: 'Kinds of notices that are not sent to the user by email.',
    }),
    ...ownLook,
  },
  { $id: 'UserSettings' },
);
export type UserSettings = Static<typeof UserSettings>;

/** A signed-in browser of a user. */
export const Session = Type.Object(
  {
    id: Id,
    isCurrent: Type.Boolean(),
    authMethod: wordOf(['Password', 'BreakGlass', 'Oidc', 'ExternalLogin']),
    signedInAt: Time,
    lastSeenAt: Time,
    expiresAt: Time,
    userAgent: nullable(Type.String()),
    clientAddress: nullable(Type.String()),
  },
  { $id: 'Session' },
);
export type Session = Static<typeof Session>;

export const getUserSettings = defineEndpoint({
  operationId: 'getUserSettings',
  tag,
  summary: "The caller's own account",
  method: 'GET',
  path: '/svc/api/user-settings',
  responses: { 200: UserSettings },
  access: access.ownRead(),
});

export const UpdateUserSettingsBody = Type.Object({
  displayName: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  email: Type.Optional(nullable(Type.String({ maxLength: 320, pattern: '^[^\\s@]{1,64}@[^\\s@]{1,255}$' }))),
  unmailedNoticeKinds: Type.Optional(
    Type.Array(wordOf(noticeKinds), { maxItems: noticeKinds.length, uniqueItems: true }),
  ),
  timeZone: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  theme: Type.Optional(ownLook.theme),
});

export const updateUserSettings = defineEndpoint({
  operationId: 'updateUserSettings',
  tag,
  summary: "Changes the caller's name, notices by email and display settings; absent members do not change",
  method: 'PATCH',
  path: '/svc/api/user-settings',
  body: UpdateUserSettingsBody,
  responses: { 200: UserSettings },
  access: access.session(),
  refusals: { 409: 'An identity provider defines the name of the caller.' },
});

export const ChangePasswordBody = Type.Object({
  currentPassword: Type.String({ minLength: 1, maxLength: 1_024 }),
  newPassword: Type.String({ minLength: 1, maxLength: 256 }),
});

export const changePassword = defineEndpoint({
  operationId: 'changePassword',
  tag,
  summary: "Changes the caller's own password; all other sessions end, and this session gets a new cookie",
  method: 'POST',
  path: '/svc/api/user-settings/change-password',
  body: ChangePasswordBody,
  responses: { 204: null },
  sends: ['Set-Cookie'],
  access: access.own(),
  rateLimit: rateLimits.changePassword,
  refusals: {
    400: 'The current password is wrong, the new one is too weak, or the account has no password in this service.',
    429: 'Too many attempts.',
  },
});

export const listSessions = defineEndpoint({
  operationId: 'listSessions',
  tag,
  summary: "The caller's own sessions, latest sign-in first",
  method: 'GET',
  path: '/svc/api/user-settings/sessions',
  query: ListQuery,
  responses: { 200: pageOf(Session) },
  access: access.sessionRead(),
});

export const endSession = defineEndpoint({
  operationId: 'endSession',
  tag,
  summary: "Ends one of the caller's own sessions",
  method: 'DELETE',
  path: '/svc/api/user-settings/sessions/{id}',
  params: IdParams,
  responses: { 204: null },
  access: access.session(),
});
