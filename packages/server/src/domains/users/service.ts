import type {
  ExternalUserInput,
  InternalUserInput,
  ListQuery,
  Page,
  Role,
  RoleName,
  User,
  UserInput,
} from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { type Database, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import {
  badRequest,
  conflict,
  forbidden,
  notFound,
  pageOf,
  pageRequest,
  type Refusal,
} from '../../platform/http/index.ts';
import type { Actor, Audit, AuditEvent } from '../audit/index.ts';
import { type PasswordHashing, type PasswordPolicy, refuseWeakPassword } from '../passwords/index.ts';
import { type ManageRefusal, refusalToManage, rightsOf } from './access.ts';
import {
  deleteRoles,
  listUsers,
  lockActingSuperAdmins,
  renewStamp,
  setArchived,
  setEnabled,
  updateProfile,
} from './manage-store.ts';
import { presentUser } from './present.ts';
import { roles } from './roles.ts';
import { findUser, insertRoles, insertUser, lockUser, type StoredUser } from './store.ts';

type Administrator = Actor & { readonly caller: Caller };

export type UsersService = {
  readonly list: (
    query: ListQuery & {
      search?: string;
      includeArchived?: boolean;
      role?: RoleName;
      isEnabled?: boolean;
    },
  ) => Promise<Page<User>>;
  readonly listRoles: (query: ListQuery) => Page<Role>;
  readonly get: (id: number) => Promise<User>;
  readonly createInternal: (input: InternalUserInput, by: Administrator) => Promise<User>;
  readonly createExternal: (input: ExternalUserInput, by: Administrator) => Promise<User>;
  readonly update: (id: number, input: UserInput, by: Administrator) => Promise<User>;
  readonly setRoles: (id: number, grantedRoles: readonly RoleName[], by: Administrator) => Promise<User>;
  readonly toggleEnabled: (id: number, by: Administrator) => Promise<User>;
  readonly archive: (id: number, by: Administrator) => Promise<void>;
  readonly signOutEverywhere: (id: number, by: Administrator) => Promise<void>;
};

export type UsersDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly hashing: PasswordHashing;
  readonly policy: PasswordPolicy;
  /** Issuers of external users. A single issuer is the default. */
  readonly knownIssuers: readonly string[];
  /** Revokes the remaining keys of a user in this transaction. Returns their number. */
  readonly revokeKeys: (tx: Tx, userId: number, byUserId: number | null) => Promise<number>;
  /** Ends all sessions of a user in this transaction. */
  readonly endSessions: (
    tx: Tx,
    userId: number,
    reason: 'SignedOutEverywhere' | 'UserChanged',
  ) => Promise<unknown>;
  /** Suspends all sessions of a user in this transaction. */
  readonly suspendSessions: (tx: Tx, userId: number) => Promise<void>;
};

const emailShape = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const list = {
  sortable: {
    userName: 'lower(u.user_name) collate "C"',
    displayName: 'lower(u.display_name) collate "C"',
    email: 'lower(u.email) collate "C"',
    kind: 'u.kind collate "C"',
    isEnabled: 'u.is_enabled',
    lastSignedInAt: 'u.last_signed_in_at',
    createdTime: 'u.created_time',
  },
  byDefault: 'userName',
  unique: 'u.id',
};

export function createUsersService(deps: UsersDeps): UsersService {
  const { database, clock, audit, hashing, policy } = deps;

  const lock = async (tx: Tx, id: number): Promise<StoredUser> => {
    const user = await lockUser(tx, id);
    if (!user || user.archivedAt !== null) throw notFound();
    return user;
  };
  const read = async (tx: Tx, id: number): Promise<User> => {
    const user = await findUser(tx, id);
    if (!user) throw notFound();
    return presentUser(user);
  };
  const record = (
    tx: Tx,
    event: AuditEvent['event'],
    userId: number,
    by: Administrator,
    detail: Record<string, unknown>,
  ) => audit.record(tx, { event, by, subject: { kind: 'user', id: userId }, detail });

  const create = async (
    user: Parameters<typeof insertUser>[1],
    grantedRoles: readonly RoleName[],
    by: Administrator,
  ): Promise<User> =>
    withNamedConflicts(() =>
      database.transaction(async (tx) => {
        const id = await insertUser(tx, user);
        await insertRoles(tx, id, grantedRoles, { source: 'Granted', byUserId: by.caller.userId });
        await record(tx, 'users.created', id, by, {
          userName: user.userName,
          kind: user.kind,
          roles: grantedRoles,
        });
        return read(tx, id);
      }),
    );

  /** Enables or disables a user in this transaction, with the effects on keys and sessions. */
  const changeEnabled = async (
    tx: Tx,
    user: StoredUser,
    isEnabled: boolean,
    by: Administrator,
  ): Promise<void> => {
    refuse(by, user, { touchesStanding: true });
    if (!isEnabled) await keepASuperAdmin(tx, user);
    await setEnabled(tx, user.id, isEnabled);
    if (!isEnabled) await deps.suspendSessions(tx, user.id);
    const revokedKeyCount = await deps.revokeKeys(tx, user.id, by.caller.userId);
    await record(tx, isEnabled ? 'users.enabled' : 'users.disabled', user.id, by, { revokedKeyCount });
  };

  return {
    list: async (query) => {
      const page = pageRequest(query, list);
      const filter = {
        search: query.search?.trim() || null,
        includeArchived: query.includeArchived ?? false,
        role: query.role ?? null,
        isEnabled: query.isEnabled ?? null,
      };
      const { users, totalCount } = await listUsers(database, filter, page);
      return pageOf(users.map(presentUser), totalCount, page);
    },
    listRoles: (query) => {
      const page = pageRequest(query, { sortable: {}, byDefault: '', unique: 'name' });
      return pageOf(roles.slice(page.offset, page.offset + page.limit), roles.length, page);
    },
    get: async (id) => {
      const user = await findUser(database, id);
      if (!user) throw notFound();
      return presentUser(user);
    },
    createInternal: async (input, by) => {
      const grantedRoles = input.roles ?? [];
      refuse(by, null, { grants: grantedRoles });
      const profile = profileFrom(input);
      refuseWeakPassword(policy, input.password, { userName: input.userName, member: 'password' });
      const passwordHash = await hashing.hash(input.password);
      return create(
        { ...profile, kind: 'Internal', passwordHash, mustChangePassword: true },
        grantedRoles,
        by,
      );
    },
    createExternal: async (input, by) => {
      const grantedRoles = input.roles ?? [];
      refuse(by, null, { grants: grantedRoles });
      const issuer = input.issuer ?? (deps.knownIssuers.length === 1 ? deps.knownIssuers[0] : undefined);
      if (issuer === undefined)
        throw badRequest('issuer-required', 'Name the identity provider (its issuer) of this user.', [
          { path: '/issuer', message: 'is required' },
        ]);
      return create(
        { ...profileFrom(input), kind: 'External', issuer, subject: input.subject },
        grantedRoles,
        by,
      );
    },
    update: (id, input, by) =>
      withNamedConflicts(() =>
        database.transaction(async (tx) => {
          const user = await lock(tx, id);
          refuse(by, user, {});
          const profile = profileFrom({ userName: user.userName, ...withoutAbsent(user, input) });
          await updateProfile(tx, id, profile);
          await record(tx, 'users.updated', id, by, { userName: profile.userName });
          // Saving a disabled user as disabled also revokes keys that were created in the meantime.
          const changesStanding = input.isEnabled === false || (input.isEnabled === true && !user.isEnabled);
          if (changesStanding) await changeEnabled(tx, user, input.isEnabled === true, by);
          return read(tx, id);
        }),
      ),
    setRoles: (id, grantedRoles, by) =>
      database.transaction(async (tx) => {
        const user = await lock(tx, id);
        refuse(by, user, { grants: grantedRoles, touchesStanding: true });
        await deleteRoles(tx, id, 'Granted', grantedRoles);
        await insertRoles(tx, id, grantedRoles, { source: 'Granted', byUserId: by.caller.userId });
        const isSame =
          grantedRoles.length === user.grantedRoles.length &&
          grantedRoles.every((r) => user.grantedRoles.includes(r));
        if (!isSame) {
          await renewStamp(tx, id);
          await record(tx, 'users.roles_changed', id, by, { from: user.grantedRoles, to: grantedRoles });
        }
        return read(tx, id);
      }),
    toggleEnabled: (id, by) =>
      database.transaction(async (tx) => {
        const user = await lock(tx, id);
        await changeEnabled(tx, user, !user.isEnabled, by);
        return read(tx, id);
      }),
    archive: (id, by) =>
      database.transaction(async (tx) => {
        const user = await lock(tx, id);
        refuse(by, user, { touchesStanding: true });
        await keepASuperAdmin(tx, user);
        await setArchived(tx, id, statementTime(clock));
        const revokedKeyCount = await deps.revokeKeys(tx, id, by.caller.userId);
        await deps.endSessions(tx, id, 'UserChanged');
        await record(tx, 'users.archived', id, by, { revokedKeyCount });
      }),
    signOutEverywhere: (id, by) =>
      database.transaction(async (tx) => {
        await lock(tx, id);
        await deps.endSessions(tx, id, 'SignedOutEverywhere');
        await record(tx, 'auth.signed_out_everywhere', id, by, {});
      }),
  };
}

async function keepASuperAdmin(tx: Tx, user: StoredUser): Promise<void> {
  if (!user.isSuperAdmin) return;
  const acting = await lockActingSuperAdmins(tx);
  if (acting.some((id) => id !== user.id)) return;
  throw conflict('last-super-admin', 'This is the last super admin who can act: it must stay enabled.');
}

const refusals: Readonly<Record<ManageRefusal, () => Refusal>> = {
  'own-account': () =>
    forbidden(
      'own-account',
      'Nobody changes their own roles, or disables or archives themselves: ask another administrator.',
    ),
  'privileged-user': () =>
    forbidden(
      'privileged-user',
      'Only an Admin may change Admins, super admins and holders of functional permissions.',
    ),
  'privileged-role': () =>
    forbidden('privileged-role', 'Only an Admin may grant the Admin role and functional permissions.'),
};

function refuse(
  by: Administrator,
  user: StoredUser | null,
  change: Parameters<typeof refusalToManage>[2],
): void {
  const target = user && { id: user.id, rights: rightsOf(user.roles, user.isSuperAdmin) };
  const caller = { userId: by.caller.userId, isAdmin: isAdmin(by.caller) };
  const refusal = refusalToManage(caller, target, change);
  if (refusal) throw refusals[refusal]();
}

type Profile = { userName: string; displayName: string | null; email: string | null };

/** Returns the input with stored values for absent members. */
const withoutAbsent = (user: StoredUser, input: UserInput): Partial<Profile> => ({
  ...(input.userName !== undefined && { userName: input.userName }),
  displayName: input.displayName === undefined ? user.displayName : input.displayName,
  email: input.email === undefined ? user.email : input.email,
});

function profileFrom(input: {
  userName: string;
  displayName?: string | null;
  email?: string | null;
}): Profile {
  const email = input.email?.trim() || null;
  if (email !== null && !emailShape.test(email))
    throw badRequest('invalid-email', 'The email address is not one.', [
      { path: '/email', message: 'is not an email address' },
    ]);
  return { userName: input.userName, displayName: input.displayName?.trim() || null, email };
}

async function withNamedConflicts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'users_user_name'))
      throw conflict('user-name-taken', 'Another user has this name; archived users keep theirs.', [
        { path: '/userName', message: 'is taken: another user has it, or had it and is archived' },
      ]);
    if (isUniqueViolation(error, 'users_external'))
      throw conflict('identity-taken', 'There is a user with this id at this identity provider already.', [
        { path: '/subject', message: 'is taken: there is a user with it already' },
      ]);
    throw error;
  }
}
