import { createHash, randomBytes } from 'node:crypto';
import type { RoleName, Scope } from '@svc/contract';
import type pg from 'pg';
import { createPasswordHashing } from '../../../server/src/domains/passwords/index.ts';
import { systemRandomness } from '../../../server/src/platform/crypto/index.ts';

/** Password of all users in the tests. */
export const password = 'Correct-horse-7-battery';

/** Pool, client or transaction. */
type Store = {
  readonly query: <Row extends pg.QueryResultRow>(
    statement: string,
    values?: unknown[],
  ) => Promise<{ readonly rows: Row[] }>;
};
let sharedHash: Promise<string> | undefined;

/** Inserts a user with the tests' password directly into the database. */
export async function createUser(
  database: Store,
  userName: string,
  roles: RoleName | readonly RoleName[] = [],
): Promise<number> {
  sharedHash ??= createPasswordHashing({ iterations: 100_000, random: systemRandomness }).hash(password);
  const { rows } = await database.query<{ id: number }>(
    `insert into svc.users (user_name, display_name, kind, password_hash)
     values ($1, $1, 'Internal', $2) returning id`,
    [userName, await sharedHash],
  );
  const id = rows[0]?.id ?? 0;
  await setRoles(database, id, typeof roles === 'string' ? [roles] : roles);
  return id;
}

/** Replaces the roles of a user directly in the database. */
export async function setRoles(database: Store, userId: number, roles: readonly RoleName[]): Promise<void> {
  await database.query('delete from svc.user_roles where user_id = $1', [userId]);
  await database.query('insert into svc.user_roles (user_id, role) select $1, unnest($2::text[])', [
    userId,
    roles,
  ]);
}

export type TestKey = { readonly id: number; readonly plainTextKey: string; readonly authorization: string };

/** Inserts an API key directly into the database. `projectIds` null: a key from before project lists were required. */
export async function createKey(
  database: Store,
  ownerUserId: number,
  key: {
    scopes?: readonly (Scope | 'Admin')[];
    projectIds?: readonly number[] | null;
    expiresAt?: Date | null;
  } = {},
): Promise<TestKey> {
  const plainTextKey = `sk-sem_${randomBytes(32).toString('base64').replaceAll(/[+/=]/g, '')}`;
  const expiresAt = key.expiresAt === undefined ? new Date(Date.now() + 86_400_000) : key.expiresAt;
  const { rows } = await database.query<{ id: number }>(
    `insert into svc.api_keys (name, key_hash, prefix, owner_user_id, scopes, allowed_project_ids, expires_at,
       owner_generation)
     select 'A key', $1, $2, id, $4, $5, $6, api_key_generation from svc.users where id = $3 returning id`,
    [
      createHash('sha256').update(plainTextKey).digest(),
      plainTextKey.slice(0, 16),
      ownerUserId,
      key.scopes ?? ['Read'],
      key.projectIds === undefined ? [] : key.projectIds,
      expiresAt,
    ],
  );
  return { id: rows[0]?.id ?? 0, plainTextKey, authorization: `Bearer ${plainTextKey}` };
}
