import type {
  BodyOf,
  ListQuery,
  NoticeKind,
  Page,
  Session,
  UserSettings,
  updateUserSettings,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import {
  brokenRule,
  conflict,
  notFound,
  notPossible,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import type { AnswerHeaders, RateLimit } from '../../platform/rate-limit/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { type PasswordHashing, type PasswordPolicy, refuseWeakPassword } from '../passwords/index.ts';
import { type BegunSession, presentSessions, type SessionsService, sessionList } from '../sessions/index.ts';
import {
  findUser,
  lockUser,
  type StoredUser,
  setLook,
  setPassword,
  setUnmailedNoticeKinds,
  unmailedNoticeKinds,
  updateNames,
} from '../users/index.ts';

type Person = Actor & { readonly caller: Caller; readonly clientAddress: string };

/** Change of the caller's own settings. */
type OwnChange = BodyOf<typeof updateUserSettings>;

export type UserSettingsService = {
  readonly get: (caller: Caller) => Promise<UserSettings>;
  /** Changes the caller's own names, notice mails and display settings. */
  readonly update: (change: OwnChange, by: Person) => Promise<UserSettings>;
  /** @returns the session that continues in this browser; undefined for callers without a session. */
  readonly changePassword: (
    input: { currentPassword: string; newPassword: string },
    by: Person,
    userAgent: string | undefined,
    answer: AnswerHeaders,
  ) => Promise<BegunSession | undefined>;
  readonly listSessions: (caller: Caller, query: ListQuery) => Promise<Page<Session>>;
  readonly endSession: (id: number, by: Person) => Promise<void>;
};

export function createUserSettingsService(deps: {
  database: Database;
  audit: Audit;
  sessions: SessionsService;
  hashing: PasswordHashing;
  policy: PasswordPolicy;
  limit: RateLimit;
}): UserSettingsService {
  const { database, audit, sessions, hashing, policy, limit } = deps;

  const store = (user: StoredUser, hash: string, by: Person, userAgent: string | undefined) =>
    database.transaction(async (tx) => {
      const locked = await lockUser(tx, user.id);
      if (!locked?.isEnabled || locked.archivedAt !== null || locked.passwordHash !== user.passwordHash)
        throw notPossible('password-not-changed', 'The account changed meanwhile. Sign in again.');
      const { sessionId } = by.caller;
      const current = sessionId === null ? undefined : await sessions.describe(tx, sessionId);
      await setPassword(tx, user.id, { hash, mustChange: false });
      await sessions.endAllOf(tx, user.id, 'PasswordChanged');
      await audit.record(tx, {
        event: 'users.password_changed',
        by,
        subject: { kind: 'user', id: user.id },
      });
      const renewed = await lockUser(tx, user.id);
      if (!current || !renewed) return undefined;
      return sessions.begin(tx, renewed, {
        authMethod: current.authMethod,
        isPersistent: current.isPersistent,
        clientAddress: by.clientAddress,
        userAgent,
        // A new password is no new sign-in, so the end of the session does not change.
        signedInAt: current.signedInAt,
      });
    });

  /** Changes the names of an internal user. Names of other users come from their identity provider. */
  const changeNames = async (tx: Tx, user: StoredUser, { displayName, email }: OwnChange, by: Person) => {
    if (displayName === undefined && email === undefined) return;
    if (user.kind !== 'Internal')
      throw conflict('names-from-provider', 'Your names come from the identity provider.');
    await updateNames(tx, user.id, {
      displayName: displayName === undefined ? user.displayName : displayName?.trim() || null,
      email: email === undefined ? user.email : email,
    });
    await audit.record(tx, {
      event: 'users.updated',
      by,
      subject: { kind: 'user', id: user.id },
      detail: { userName: user.userName },
    });
  };

  const changeLook = async (tx: Tx, user: StoredUser, change: OwnChange) => {
    const { timeZone = user.timeZone, theme = user.theme } = change;
    if (timeZone === user.timeZone && theme === user.theme) return;
    if (timeZone !== null && !isTimeZone(timeZone))
      throw brokenRule('unknown-time-zone', 'Name a time zone such as Europe/Zagreb or UTC.', [
        { path: '/timeZone', message: 'is no time zone, such as Europe/Zagreb' },
      ]);
    await setLook(tx, user.id, { timeZone, theme });
  };

  return {
    get: async (caller) => {
      const user = caller.userId === null ? undefined : await findUser(database, caller.userId);
      return user
        ? presentSettings(user, await unmailedNoticeKinds(database, user.id))
        : presentHostUser(caller);
    },
    update: (change, by) =>
      database.transaction(async (tx) => {
        const user = by.caller.userId === null ? undefined : await lockUser(tx, by.caller.userId);
        if (!user) throw notFound();
        await changeNames(tx, user, change, by);
        const { unmailedNoticeKinds: kinds } = change;
        if (kinds) await setUnmailedNoticeKinds(tx, user.id, kinds);
        await changeLook(tx, user, change);
        const changed = await lockUser(tx, user.id);
        return presentSettings(changed ?? user, await unmailedNoticeKinds(tx, user.id));
      }),
    changePassword: async (input, by, userAgent, answer) => {
      const user = by.caller.userId === null ? undefined : await findUser(database, by.caller.userId);
      if (!user?.isEnabled || user.kind !== 'Internal')
        throw notPossible('no-password', 'This account has no password here: it signs in elsewhere.');
      await limit.consume(String(user.id), answer);
      if (!(await hashing.verify(input.currentPassword, user.passwordHash)))
        throw brokenRule('wrong-password', 'The current password is wrong.', [
          { path: '/currentPassword', message: 'is wrong' },
        ]);
      if (input.newPassword === input.currentPassword)
        throw brokenRule('same-password', 'The new password is the current one.', [
          { path: '/newPassword', message: 'is the current one' },
        ]);
      refuseWeakPassword(policy, input.newPassword, { userName: user.userName, member: 'newPassword' });
      return store(user, await hashing.hash(input.newPassword), by, userAgent);
    },
    listSessions: async (caller, query) => {
      const page = pageRequest(query, sessionList);
      if (caller.userId === null) return pageOf<Session>([], 0, page);
      return presentSessions(await sessions.listOf(caller.userId, page), page, caller);
    },
    endSession: (id, by) =>
      database.transaction(async (tx) => {
        const session = await sessions.describe(tx, id);
        if (!session || session.userId !== by.caller.userId) throw notFound();
        await sessions.end(tx, id, 'SignedOut');
        await audit.record(tx, {
          event: 'auth.session_ended',
          by,
          subject: { kind: 'session', id },
        });
      }),
  };
}

/** Returns true if times can be formatted in this zone. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const presentSettings = (user: StoredUser, kinds: readonly NoticeKind[]): UserSettings => ({
  userId: user.id,
  userName: user.userName,
  displayName: user.displayName,
  email: user.email,
  kind: user.kind,
  roles: [...user.roles],
  canChangePassword: user.kind === 'Internal' && user.passwordHash !== null,
  mustChangePassword: user.mustChangePassword,
  canChangeNames: user.kind === 'Internal',
  unmailedNoticeKinds: [...kinds],
  timeZone: user.timeZone,
  theme: user.theme,
});

const presentHostUser = (caller: Caller): UserSettings => ({
  userId: caller.userId,
  userName: caller.userName,
  displayName: null,
  email: null,
  kind: 'Host',
  roles: [...(caller.role === null ? [] : [caller.role]), ...caller.permissions],
  canChangePassword: false,
  mustChangePassword: false,
  canChangeNames: false,
  unmailedNoticeKinds: [],
  timeZone: null,
  theme: null,
});
