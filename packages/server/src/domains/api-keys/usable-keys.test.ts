import { randomBytes } from 'node:crypto';
import { scopes } from '@svc/contract';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { refusalOf, validScopes } from './access.ts';
import { stateOf } from './present.ts';
import { findKey, findKeyByHash } from './store.ts';

let testDatabase: TestDatabase;
let database: Database;
let ownerId: number;
beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection, max: 1 }));
  ownerId = await createUser(database.pool, 'owner', 'Editor');
});
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});

/** An hour after this time, clocks in most of Europe change. Days still count as 24 hours. */
const at = new Date('2026-03-29T00:00:00Z');
const dayMs = 86_400_000;

const mostly = <T>(value: T, rarely: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: rarely });

/** Generates moments around whole days before or after `at`, to the millisecond: the limits are among them. */
const moments = (days: readonly number[]): fc.Arbitrary<Date> =>
  fc
    .tuple(fc.constantFrom(...days), fc.integer({ min: -1, max: 1 }))
    .map(([day, ms]) => new Date(at.getTime() + day * dayMs + ms));

const anyKey = fc.record({
  revokedAt: mostly<Date | null>(null, moments([-1, 1])),
  expiresAt: mostly<Date | null>(new Date(at.getTime() + dayMs), fc.option(moments([-1, 0]))),
  createdTime: moments([-400, -90, -89]),
  generation: mostly(1, fc.integer({ min: 0, max: 2 })),
  scopes: mostly<string[]>(['Read'], fc.subarray([...scopes, 'Admin', 'Gone'])),
  isOwned: mostly(true, fc.constant(false)),
});
const anyOwner = fc.record({
  isEnabled: mostly(true, fc.constant(false)),
  archivedAt: mostly<Date | null>(null, moments([-1, 1])),
  generation: mostly(1, fc.integer({ min: 0, max: 2 })),
  createdTime: moments([-400, -30, -7, 0]),
  lastSignedInAt: fc.option(moments([-31, -30, -7, 0])),
});
const anyRules = fc.record({
  maxLifetimeDays: fc.constantFrom(1, 90, 365),
  enforceMaxLifetimeOnExistingKeys: fc.boolean(),
  maxOwnerInactivityDays: fc.constantFrom(0, 7, 30),
});

test('SQL marks a key as usable exactly if it has an expiry and no rule refuses it', async () => {
  const seen = { usable: 0, refused: new Set<string>() };
  const sameDecision = fc.asyncProperty(anyKey, anyOwner, anyRules, async (key, owner, rules) => {
    const hash = randomBytes(32);
    await database.query(
      `update svc.users set is_enabled = $2, archived_at = $3, api_key_generation = $4, created_time = $5,
         last_signed_in_at = $6 where id = $1`,
      [ownerId, owner.isEnabled, owner.archivedAt, owner.generation, owner.createdTime, owner.lastSignedInAt],
    );
    await database.query(
      `insert into svc.api_keys (name, key_hash, prefix, owner_user_id, owner_generation, scopes, created_time,
         expires_at, revoked_at) values ('any', $1, 'any', $2, $3, $4, $5, $6, $7)`,
      [
        hash,
        key.isOwned ? ownerId : null,
        key.generation,
        key.scopes,
        key.createdTime,
        key.expiresAt,
        key.revokedAt,
      ],
    );
    const presented = await findKeyByHash(database, hash, {
      at,
      ownerInactivityDaysMax: rules.maxOwnerInactivityDays,
    });
    const stored = presented && (await findKey(database, presented.id, at));
    if (!stored) throw new Error('The key is not found.');
    const refusal = refusalOf(stateOf(stored), rules, at);
    // The authenticator checks the scopes: SQL does not know which are still valid.
    if (validScopes(key.scopes).length === 0) expect(refusal).toBeDefined();
    else expect(presented.isUsable).toBe(refusal === undefined && key.expiresAt !== null);
    if (presented.isUsable) seen.usable += 1;
    if (refusal) seen.refused.add(refusal);
  });
  await fc.assert(sameDecision, { numRuns: 400, seed: 20_260_329 });
  expect(seen.usable).toBeGreaterThan(20);
  expect([...seen.refused].sort()).toEqual([
    'expired',
    'no valid scopes',
    'owner_archived',
    'owner_disabled',
    'owner_generation_changed',
    'owner_inactive',
    'owner_missing',
    'revoked',
  ]);
});
