import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

/** A key with the relevant facts of its owner. */
export type StoredKey = {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly allowedProjectIds: readonly (number | null)[] | null;
  readonly ownerGeneration: number;
  readonly createdTime: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly replacedByKeyId: number | null;
  readonly ownerUserId: number | null;
  readonly ownerUserName: string | null;
  readonly ownerIsEnabled: boolean | null;
  readonly ownerIsArchived: boolean | null;
  readonly ownerIsSuperAdmin: boolean | null;
  readonly ownerGenerationNow: number | null;
  readonly ownerCreatedTime: Date | null;
  readonly ownerLastSignedInAt: Date | null;
  /** Names, comma-separated; null if there are none. */
  readonly ownerRoles: string | null;
  /** Time that the expiry is compared with. */
  readonly at: Date;
};

const columns = (time: string) => `k.id, k.name, k.prefix, k.scopes,
  k.allowed_project_ids as "allowedProjectIds", k.owner_generation as "ownerGeneration",
  k.created_time as "createdTime", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
  k.revoked_at as "revokedAt", k.replaced_by_key_id as "replacedByKeyId", u.id as "ownerUserId", u.user_name as "ownerUserName",
  u.is_enabled as "ownerIsEnabled", u.archived_at is not null as "ownerIsArchived",
  u.is_super_admin as "ownerIsSuperAdmin", u.api_key_generation as "ownerGenerationNow",
  u.created_time as "ownerCreatedTime", u.last_signed_in_at as "ownerLastSignedInAt",
  (select string_agg(r.role, ',') from svc.user_roles r where r.user_id = u.id) as "ownerRoles",
  coalesce(${time}::timestamptz, now()) as at`;
const from = 'from svc.api_keys k left join svc.users u on u.id = k.owner_user_id';

/** Members of a key that each request needs. */
export type PresentedKey = Pick<
  StoredKey,
  | 'id'
  | 'scopes'
  | 'allowedProjectIds'
  | 'ownerUserId'
  | 'ownerUserName'
  | 'ownerIsSuperAdmin'
  | 'ownerRoles'
  | 'at'
> & {
  readonly keyHash: Buffer;
  /** True: no fact in the rows of the key and of its owner prevents its use. False: `refusalOf` determines the reason. */
  readonly isUsable: boolean;
};

/**
 * Condition for a live key with an expiry and a live owner. The owner's key generation is unchanged, and the owner was
 * inactive for less than `days` days of 24 hours. 0 days: no limit.
 */
const isUsable = (time: string, days: string) => `coalesce(k.revoked_at is null and k.expires_at > ${time}
  and u.is_enabled and u.archived_at is null and u.api_key_generation <= k.owner_generation
  and (${days}::int = 0
    or coalesce(u.last_signed_in_at, u.created_time) > ${time} - make_interval(hours => 24 * ${days}::int)), false)`;

const byHash = `select k.id, k.key_hash as "keyHash", k.scopes, k.allowed_project_ids as "allowedProjectIds",
  u.id as "ownerUserId", u.user_name as "ownerUserName", u.is_super_admin as "ownerIsSuperAdmin",
  (select string_agg(r.role, ',') from svc.user_roles r where r.user_id = u.id) as "ownerRoles",
  coalesce($2::timestamptz, now()) as at, ${isUsable('coalesce($2::timestamptz, now())', '$3')} as "isUsable"
  ${from} where k.key_hash = $1`;

/**
 * Finds the key, its owner and the owner's roles in one statement per request.
 *
 * @param rules.ownerInactivityDaysMax  0: no limit of inactivity.
 */
export async function findKeyByHash(
  { lookups }: Pick<Database, 'lookups'>,
  keyHash: Buffer,
  rules: { readonly at: Date | null; readonly ownerInactivityDaysMax: number },
): Promise<PresentedKey | undefined> {
  const { rows } = await lookups.coalesce<PresentedKey>({
    name: 'api-keys-by-hash',
    text: byHash,
    values: [keyHash, rules.at, rules.ownerInactivityDaysMax],
  });
  return rows[0];
}

/** Finds a key by id. `forUpdate` locks it against a concurrent revocation. */
export async function findKey(
  executor: Queryable,
  id: number,
  at: Date | null,
  options: { forUpdate?: boolean } = {},
): Promise<StoredKey | undefined> {
  const lock = options.forUpdate ? 'for update of k' : '';
  const { rows } = await executor.query<StoredKey>(
    `select ${columns('$2')} ${from} where k.id = $1 ${lock}`,
    [id, at],
  );
  return rows[0];
}

/** Lists a page of keys with their total number. `ownerUserId` null: keys of all users. */
export async function listKeys(
  executor: Queryable,
  filter: { ownerUserId: number | null; at: Date | null },
  page: PageRequest,
): Promise<{ keys: StoredKey[]; totalCount: number }> {
  const where = 'where ($1::int is null or k.owner_user_id = $1)';
  const { rows } = await executor.query<StoredKey>(
    `select ${columns('$2')} ${from} ${where} order by ${orderBy(page)} limit $3 offset $4`,
    [filter.ownerUserId, filter.at, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*) as count from svc.api_keys k ${where}`,
    [filter.ownerUserId],
  );
  return { keys: rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns the key generation of a user who may create keys, and locks the row until the transaction ends. */
export async function lockOwner(tx: Tx, userId: number): Promise<{ generation: number } | undefined> {
  const { rows } = await tx.query<{ generation: number }>(
    `select api_key_generation as generation from svc.users
      where id = $1 and is_enabled and archived_at is null for share`,
    [userId],
  );
  return rows[0];
}

export type NewKey = {
  readonly name: string;
  readonly keyHash: Buffer;
  readonly prefix: string;
  readonly ownerUserId: number;
  readonly ownerGeneration: number;
  readonly scopes: readonly string[];
  readonly allowedProjectIds: readonly number[];
  readonly createdTime: Date;
  readonly expiresAt: Date;
};

export async function insertKey(tx: Tx, key: NewKey): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.api_keys (name, key_hash, prefix, owner_user_id, owner_generation, scopes,
       allowed_project_ids, created_time, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      key.name,
      key.keyHash,
      key.prefix,
      key.ownerUserId,
      key.ownerGeneration,
      key.scopes,
      key.allowedProjectIds,
      key.createdTime,
      key.expiresAt,
    ],
  );
  return rows[0]?.id ?? 0;
}

/** Revokes a key. @returns false if it was already revoked. */
export async function revokeKey(
  tx: Tx,
  id: number,
  revocation: { byUserId: number | null; at: Date | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.api_keys set revoked_at = coalesce($3, now()), revoked_by_user_id = $2
      where id = $1 and revoked_at is null`,
    [id, revocation.byUserId, revocation.at],
  );
  return (rowCount ?? 0) > 0;
}

/** Revokes all remaining keys of an owner. The caller has locked the owner's row. @returns the number of revoked keys. */
export async function revokeKeysOfOwner(
  tx: Tx,
  ownerUserId: number,
  revocation: { byUserId: number | null; at: Date | null },
): Promise<number> {
  const { rowCount } = await tx.query(
    `update svc.api_keys set revoked_at = coalesce($3, now()), revoked_by_user_id = $2
      where owner_user_id = $1 and revoked_at is null`,
    [ownerUserId, revocation.byUserId, revocation.at],
  );
  return rowCount ?? 0;
}

/** Shortens the life of a replaced key. Never extends it. */
export async function setReplaced(
  tx: Tx,
  id: number,
  replacement: { readonly keyId: number; readonly endsAt: Date },
): Promise<void> {
  await tx.query(
    'update svc.api_keys set replaced_by_key_id = $2, expires_at = least(expires_at, $3) where id = $1',
    [id, replacement.keyId, replacement.endsAt],
  );
}

/** Records the last use of many keys. Never moves a time backwards. */
export async function noteUses(executor: Queryable, uses: ReadonlyMap<number, Date>): Promise<void> {
  await executor.query({
    name: 'api-keys-note-uses',
    text: `update svc.api_keys k set last_used_at = greatest(k.last_used_at, v.used_at)
             from unnest($1::int[], $2::timestamptz[]) as v(id, used_at) where k.id = v.id`,
    values: [[...uses.keys()], [...uses.values()]],
  });
}
