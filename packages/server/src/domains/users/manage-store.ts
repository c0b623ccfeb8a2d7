import type { NoticeKind, RoleName } from '@svc/contract';
import type { Queryable, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import { type StoredUser, userColumns } from './store.ts';

/** Returns one page of users, and their total number. */
export async function listUsers(
  executor: Queryable,
  filter: {
    search: string | null;
    includeArchived: boolean;
    role: RoleName | null;
    isEnabled: boolean | null;
  },
  page: PageRequest,
): Promise<{ users: StoredUser[]; totalCount: number }> {
  const where = `where ($2 or u.archived_at is null) and ($1::text is null
    or position(lower($1) in lower(u.user_name)) > 0 or position(lower($1) in lower(u.display_name)) > 0
    or position(lower($1) in lower(u.email)) > 0)
    and ($3::text is null or exists (select from svc.user_roles r where r.user_id = u.id and r.role = $3))
    and ($4::boolean is null or u.is_enabled = $4)`;
  const filterValues = [filter.search, filter.includeArchived, filter.role, filter.isEnabled];
  const { rows } = await executor.query<StoredUser>(
    `select ${userColumns} from svc.users u ${where} order by ${orderBy(page)} limit $5 offset $6`,
    [...filterValues, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*) as count from svc.users u ${where}`,
    filterValues,
  );
  return { users: rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Changes the names and the email address of a user. Violates `users_user_name` when the name is taken. */
export async function updateProfile(
  tx: Tx,
  userId: number,
  profile: { userName: string; displayName: string | null; email: string | null },
): Promise<void> {
  await tx.query('update svc.users set user_name = $2, display_name = $3, email = $4 where id = $1', [
    userId,
    profile.userName,
    profile.displayName,
    profile.email,
  ]);
}

/** Stores a display name and an email address, if they differ from the stored ones. */
export async function updateNames(
  executor: Queryable,
  userId: number,
  names: { displayName: string | null; email: string | null },
): Promise<void> {
  await executor.query(
    `update svc.users set display_name = $2, email = $3
      where id = $1 and (display_name is distinct from $2 or email is distinct from $3)`,
    [userId, names.displayName, names.email],
  );
}

/** Returns the kinds of notices for which a user gets no mail. */
export async function unmailedNoticeKinds(executor: Queryable, userId: number): Promise<NoticeKind[]> {
  const { rows } = await executor.query<{ kinds: NoticeKind[] }>(
    'select unmailed_notice_kinds as kinds from svc.users where id = $1',
    [userId],
  );
  return rows[0]?.kinds ?? [];
}

export async function setUnmailedNoticeKinds(
  tx: Tx,
  userId: number,
  kinds: readonly NoticeKind[],
): Promise<void> {
  await tx.query('update svc.users set unmailed_notice_kinds = $2 where id = $1', [userId, kinds]);
}

/** Stores the display settings of a user. */
export async function setLook(
  tx: Tx,
  userId: number,
  look: Pick<StoredUser, 'timeZone' | 'theme'>,
): Promise<void> {
  await tx.query('update svc.users set time_zone = $2, theme = $3 where id = $1', [
    userId,
    look.timeZone,
    look.theme,
  ]);
}

/** Enables or disables a user. Earlier keys become invalid by their generation, and earlier sessions by their stamp. */
export async function setEnabled(tx: Tx, userId: number, isEnabled: boolean): Promise<void> {
  await tx.query(
    `update svc.users set is_enabled = $2, security_stamp = gen_random_uuid(),
       api_key_generation = api_key_generation + 1 where id = $1`,
    [userId, isEnabled],
  );
}

/** Archives a user. Earlier keys and sessions become invalid, as in `setEnabled`. */
export async function setArchived(tx: Tx, userId: number, at: Date | null): Promise<void> {
  await tx.query(
    `update svc.users set archived_at = coalesce($2, now()), security_stamp = gen_random_uuid(),
       api_key_generation = api_key_generation + 1 where id = $1`,
    [userId, at],
  );
}

/** Renews the security stamp, which invalidates the user's sessions. */
export async function renewStamp(tx: Tx, userId: number): Promise<void> {
  await tx.query('update svc.users set security_stamp = gen_random_uuid() where id = $1', [userId]);
}

/** Stores a new password. `mustChange`: another user chose it. */
export async function setPassword(
  tx: Tx,
  userId: number,
  password: { hash: string; mustChange: boolean },
): Promise<void> {
  await tx.query(
    `update svc.users set password_hash = $2, must_change_password = $3, security_stamp = gen_random_uuid()
      where id = $1`,
    [userId, password.hash, password.mustChange],
  );
}

/** Removes the roles of one source that are not in `retainedRoles`. */
export async function deleteRoles(
  tx: Tx,
  userId: number,
  source: 'Granted' | 'IdentityProvider',
  retainedRoles: readonly string[],
): Promise<void> {
  await tx.query(
    'delete from svc.user_roles where user_id = $1 and source = $2 and role <> all($3::text[])',
    [userId, source, retainedRoles],
  );
}

/**
 * Locks and returns the super admins who can act. If two callers remove the last two at the same time, the second waits
 * and then sees the result of the first. The order of ids prevents a deadlock.
 */
export async function lockActingSuperAdmins(tx: Tx): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from svc.users where is_super_admin and is_enabled and archived_at is null order by id for update`,
  );
  return rows.map(({ id }) => id);
}
