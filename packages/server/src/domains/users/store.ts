import type { Permission, Theme } from '@svc/contract';
import type { Queryable, Tx } from '../../platform/db/index.ts';

/** Stored user, with the names of roles from every source. */
export type StoredUser = {
  readonly id: number;
  readonly userName: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly kind: 'Internal' | 'External';
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly passwordHash: string | null;
  readonly mustChangePassword: boolean;
  readonly securityStamp: string;
  readonly isSuperAdmin: boolean;
  readonly isEnabled: boolean;
  readonly apiKeyGeneration: number;
  readonly lastSignedInAt: Date | null;
  readonly createdTime: Date;
  readonly archivedAt: Date | null;
  /** Time zone for displayed times; null: the zone of the browser. */
  readonly timeZone: string | null;
  readonly theme: Theme | null;
  readonly roles: readonly string[];
  /** Roles that a user granted, without roles from the identity provider. */
  readonly grantedRoles: readonly string[];
};

/** Columns of `StoredUser`, of `svc.users` as `u`. */
export const userColumns = `u.id, u.user_name as "userName", u.display_name as "displayName", u.email, u.kind, u.issuer,
  u.subject, u.password_hash as "passwordHash", u.must_change_password as "mustChangePassword",
  u.security_stamp as "securityStamp", u.is_super_admin as "isSuperAdmin", u.is_enabled as "isEnabled",
  u.api_key_generation as "apiKeyGeneration", u.last_signed_in_at as "lastSignedInAt",
  u.created_time as "createdTime", u.archived_at as "archivedAt",
  u.time_zone as "timeZone", u.theme,
  array(select distinct r.role from svc.user_roles r where r.user_id = u.id order by r.role) as roles,
  array(select r.role from svc.user_roles r where r.user_id = u.id and r.source = 'Granted' order by r.role) as "grantedRoles"`;

/** Finds a user by id, including archived users. */
export async function findUser(executor: Queryable, id: number): Promise<StoredUser | undefined> {
  const { rows } = await executor.query<StoredUser>({
    name: 'users-by-id',
    text: `select ${userColumns} from svc.users u where u.id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Locks and returns a user. Concurrent changes and sign-ins of this user wait. */
export async function lockUser(tx: Tx, id: number): Promise<StoredUser | undefined> {
  // Locked before it is read, so that the roles remain current during the lock.
  await tx.query('select from svc.users where id = $1 for update', [id]);
  return findUser(tx, id);
}

/** Returns users by id, enabled or not, ordered by id. */
export async function findUsers(executor: Queryable, ids: readonly number[]): Promise<StoredUser[]> {
  const { rows } = await executor.query<StoredUser>({
    name: 'users-by-ids',
    text: `select ${userColumns} from svc.users u where u.id = any($1::int[]) order by u.id`,
    values: [ids],
  });
  return rows;
}

/** Returns the ids of users with the role Admin and of super admins, enabled or not. */
export async function findAdminIds(executor: Queryable): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>({
    name: 'users-admin-ids',
    text: `select u.id from svc.users u where u.is_super_admin
      or exists (select from svc.user_roles r where r.user_id = u.id and r.role = 'Admin') order by u.id`,
  });
  return rows.map(({ id }) => id);
}

/** Returns the ids of users with a permission that was granted by name. */
export async function findHolderIds(executor: Queryable, permission: Permission): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    'select distinct r.user_id as id from svc.user_roles r where r.role = $1 order by id',
    [permission],
  );
  return rows.map(({ id }) => id);
}

/** Finds a user by name (case-insensitive). */
export async function findUserByName(executor: Queryable, name: string): Promise<StoredUser | undefined> {
  const { rows } = await executor.query<StoredUser>({
    name: 'users-by-name',
    text: `select ${userColumns} from svc.users u where lower(u.user_name) = lower($1)`,
    values: [name],
  });
  return rows[0];
}

const byIdentity = `select ${userColumns} from svc.users u
  where u.issuer = $1 and u.subject = $2 and u.kind = 'External'`;

/** Finds a user of an identity provider by the id there, including archived users. */
export async function findUserByIdentity(
  executor: Queryable,
  identity: { issuer: string; subject: string },
): Promise<StoredUser | undefined> {
  const { rows } = await executor.query<StoredUser>({
    name: 'users-by-identity',
    text: byIdentity,
    values: [identity.issuer, identity.subject],
  });
  return rows[0];
}

export type NewUser = {
  readonly userName: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly kind: 'Internal' | 'External';
  readonly issuer?: string | null;
  readonly subject?: string | null;
  readonly passwordHash?: string | null;
  readonly mustChangePassword?: boolean;
  readonly isSuperAdmin?: boolean;
};

/** Adds a user without roles. Violates `users_user_name` or `users_external` when the user exists already. */
export async function insertUser(tx: Tx, user: NewUser): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.users (user_name, display_name, email, kind, issuer, subject, password_hash,
       must_change_password, is_super_admin)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      user.userName,
      user.displayName,
      user.email,
      user.kind,
      user.issuer ?? null,
      user.subject ?? null,
      user.passwordHash ?? null,
      user.mustChangePassword ?? false,
      user.isSuperAdmin ?? false,
    ],
  );
  return rows[0]?.id ?? 0;
}

/** Grants roles to a user. Roles that the user has already do not change. */
export async function insertRoles(
  tx: Tx,
  userId: number,
  roles: readonly string[],
  grant: { source: 'Granted' | 'IdentityProvider'; byUserId: number | null },
): Promise<void> {
  await tx.query(
    `insert into svc.user_roles (user_id, role, source, granted_by_user_id)
     select $1, role, $3, $4 from unnest($2::text[]) as role on conflict do nothing`,
    [userId, roles, grant.source, grant.byUserId],
  );
}

/** Records a sign-in with the user's own identity. Requests with a key do not count. */
export async function noteSignIn(executor: Queryable, userId: number, at: Date | null): Promise<void> {
  await executor.query('update svc.users set last_signed_in_at = coalesce($2, now()) where id = $1', [
    userId,
    at,
  ]);
}

/** Stores a hash of the same password with newer parameters, unless the password changed in the meantime. */
export async function renewPasswordHash(
  executor: Queryable,
  userId: number,
  hashes: { old: string; new: string },
): Promise<void> {
  await executor.query('update svc.users set password_hash = $3 where id = $1 and password_hash = $2', [
    userId,
    hashes.old,
    hashes.new,
  ]);
}
