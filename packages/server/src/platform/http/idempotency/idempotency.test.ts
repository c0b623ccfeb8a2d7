import { access, defineEndpoint } from '@svc/contract';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anonymousCaller } from '../../access/index.ts';
import { createKeyRing, type KeyRing, systemRandomness } from '../../crypto/index.ts';
import { createDatabase, openPool } from '../../db/index.ts';
import { createHttpApp } from '../app.ts';
import { conflict, unavailable } from '../refusals/refusal.ts';
import { route } from '../route.ts';
import { createIdempotencyStore, type IdempotencyStore } from './store.ts';

const keyA = 'key A, which has thirty-two bytes or more';
const keyB = 'key B, which has thirty-two bytes or more';
const ringA = createKeyRing({ encryptionKey: keyA });

let testDatabase: TestDatabase;
let pool: pg.Pool;
let store: IdempotencyStore;
let app: FastifyInstance;
let work: () => Promise<{ n: number }>;

const storeUnder = (keys: KeyRing): IdempotencyStore =>
  createIdempotencyStore({ database: createDatabase(pool), keys, random: systemRandomness });

const create = defineEndpoint({
  operationId: 'create',
  tag: 'test',
  summary: 'Test',
  method: 'POST',
  path: '/svc/api/things',
  responses: { 201: Type.Object({ n: Type.Integer() }) },
  access: access.write(),
});

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  pool = openPool({ connection: testDatabase.connection });
  store = storeUnder(ringA);
  app = await createHttpApp({
    routes: [route(create, () => work())],
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 1_000,
    knownProxies: [],
    authenticate: async () => ({ ...anonymousCaller, kind: 'session', userId: 1, role: 'Editor' }),
    checkAntiforgery: () => undefined,
    isSetupOpen: () => false,
    idempotency: store,
  });
});
afterAll(async () => {
  await app.close();
  await pool.end();
  await testDatabase.drop();
});

const post = async (key: string) => {
  const { statusCode, headers, body } = await app.inject({
    method: 'POST',
    url: '/svc/api/things',
    headers: { 'idempotency-key': key },
  });
  return [
    statusCode,
    JSON.parse(body).code ?? JSON.parse(body).n,
    headers['idempotency-replayed'] === 'true',
  ];
};

test.each([
  ['an error that nobody expected', () => new Error('secret detail'), [500, 'internal', false]],
  ['a refusal of 503', () => unavailable('Later.'), [503, 'unavailable', false]],
])('work under an Idempotency-Key is not repeated after %s', async (title, failure, answer) => {
  let calls = 0;
  work = async () => {
    calls++;
    throw failure();
  };
  expect(await post(title.replaceAll(' ', '-'))).toEqual(answer);
  expect(await post(title.replaceAll(' ', '-'))).toEqual([409, 'request-outcome-unknown', false]);
  expect(calls).toBe(1);
});

test('a refusal releases the Idempotency-Key, and the next success is replayed', async () => {
  let calls = 0;
  work = async () => {
    calls++;
    if (calls === 1) throw conflict('name-taken', 'Taken.');
    return { n: calls };
  };
  expect(await post('freed')).toEqual([409, 'name-taken', false]);
  expect(await post('freed')).toEqual([201, 2, false]);
  expect(await post('freed')).toEqual([201, 2, true]);
  expect(calls).toBe(2);
});

test('an Idempotency-Key is refused while its work runs, and its answer is replayed afterwards', async () => {
  const done = Promise.withResolvers<{ n: number }>();
  const begun = Promise.withResolvers<void>();
  work = () => {
    begun.resolve();
    return done.promise;
  };
  const first = post('slow');
  await begun.promise;
  expect(await post('slow')).toEqual([409, 'request-under-way', false]);
  done.resolve({ n: 7 });
  expect(await first).toEqual([201, 7, false]);
  expect(await post('slow')).toEqual([201, 7, true]);
});

test('work whose stored answer cannot be decrypted is not repeated, and a previous key still decrypts it', async () => {
  const request = { caller: 'user 2', key: 'sealed', digest: 'd'.repeat(64) };
  const answer = { status: 201, body: '{"n":1}', headers: { etag: '"1"' } };
  const begun = await store.begin(request);
  if (begun.state !== 'Begun') throw new Error(begun.state);
  await store.keep(begun.id, answer);
  const rotated = createKeyRing({ encryptionKey: keyB, previousEncryptionKeys: [keyA] });
  expect(await storeUnder(rotated).begin(request)).toEqual({ state: 'Answered', answer });
  const lost = createKeyRing({ encryptionKey: keyB });
  expect(await storeUnder(lost).begin(request)).toEqual({ state: 'Lost' });
});

test('the sweep removes Idempotency-Keys that are older than a day, and no others', async () => {
  await pool.query('delete from svc.idempotent_requests');
  for (const [key, age] of [
    ['old', '24 hours 1 minute'],
    ['young', '23 hours 59 minutes'],
  ]) {
    await store.begin({ caller: `user ${key}`, key: String(key), digest: 'd' });
    await pool.query('update svc.idempotent_requests set begun_at = now() - $2::interval where caller = $1', [
      `user ${key}`,
      age,
    ]);
  }
  await store.sweep();
  const { rows } = await pool.query('select caller from svc.idempotent_requests');
  expect(rows).toEqual([{ caller: 'user young' }]);
});
