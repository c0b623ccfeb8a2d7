import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createKey, createUser, type TestKey } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createKeyAuthenticator } from './authenticate.ts';

let testDatabase: TestDatabase;
let database: Database;
let ownerId: number;
let key: TestKey;
beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection, max: 2 }));
  ownerId = await createUser(database.pool, 'owner', 'Editor');
  key = await createKey(database.pool, ownerId, { scopes: ['Execute'], projectIds: [1] });
});
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});

/** Authenticates a request with the key. Returns the outcome and the number of statements. */
async function ask(maxOwnerInactivityDays: number): Promise<[string, number]> {
  let statements = 0;
  const counting = {
    ...database,
    query: ((...statement: Parameters<Database['query']>) => {
      statements += 1;
      return database.query(...statement);
    }) as Database['query'],
    lookups: {
      ...database.lookups,
      coalesce: ((statement) => {
        statements += 1;
        return database.lookups.coalesce(statement);
      }) as Database['lookups']['coalesce'],
    },
  };
  const authenticate = createKeyAuthenticator({
    database: counting,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    lastUsed: { note: () => undefined, flush: async () => undefined, close: async () => undefined },
    rules: { maxLifetimeDays: 365, enforceMaxLifetimeOnExistingKeys: false, maxOwnerInactivityDays },
  });
  const request = { headers: { authorization: key.authorization }, method: 'GET', routeOptions: {} };
  const outcome = await authenticate(request as FastifyRequest).then(
    (caller) => `${caller?.userName}`,
    (error: { code: string }) => error.code,
  );
  return [outcome, statements];
}

const away = (created: string, signedIn: string | null) =>
  database.query(
    'update svc.users set created_time = now() - $2::interval, last_signed_in_at = now() - $3::interval where id = $1',
    [ownerId, created, signedIn],
  );

test('a usable key takes one statement, with or without a limit for the inactivity of its owner', async () => {
  for (const days of [0, 1, 30, 36_500]) expect(await ask(days)).toEqual(['owner', 1]);
});

test('the inactivity of an owner counts from the last sign-in, or otherwise from the creation of the account', async () => {
  await away('400 days', '29 days 23 hours');
  expect(await ask(30)).toEqual(['owner', 1]);
  await away('400 days', '30 days');
  expect(await ask(30)).toEqual(['api-key-owner-inactive', 2]);
  expect(await ask(31)).toEqual(['owner', 1]);
  expect(await ask(0)).toEqual(['owner', 1]);
  await away('29 days 23 hours', null);
  expect(await ask(30)).toEqual(['owner', 1]);
  await away('30 days', null);
  expect(await ask(30)).toEqual(['api-key-owner-inactive', 2]);
});

test('a day of inactivity has 24 hours, also in a database with daylight saving time', async () => {
  await database.query(`alter database ${testDatabase.connection.database} set timezone to 'Europe/Berlin'`);
  const old = database;
  database = createDatabase(openPool({ connection: testDatabase.connection, max: 2 }));
  await old.pool.end();
  // 200 days include a clock change, regardless of the start.
  await away(`${200 * 24 - 0.25} hours`, null);
  expect(await ask(200)).toEqual(['owner', 1]);
  await away(`${200 * 24 + 0.25} hours`, null);
  expect(await ask(200)).toEqual(['api-key-owner-inactive', 2]);
});
