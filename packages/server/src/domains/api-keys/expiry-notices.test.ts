import type { Email } from '@svc/channels';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createAudit } from '../audit/index.ts';
import { createExpiryNotices } from './expiry-notices.ts';

const dayMs = 86_400_000;
const start = new Date('2026-03-01T00:00:00Z');
const rules = { maxLifetimeDays: 365, enforceMaxLifetimeOnExistingKeys: false, maxOwnerInactivityDays: 0 };
let testDatabase: TestDatabase;
let database: Database;
let now = start;
let sent: Email[] = [];
let notified: [number, number][] = [];
let ownerId: number;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection }));
  ownerId = await createUser(database.pool, 'owner', 'Viewer');
  await database.query("update svc.users set email = 'owner@example.org' where id = $1", [ownerId]);
});
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});
beforeEach(async () => {
  now = start;
  sent = [];
  notified = [];
  await database.query('delete from svc.api_keys');
});

const noticesWith = (email: ((mail: Email) => Promise<unknown>) | undefined) =>
  createExpiryNotices({
    database,
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
    audit: createAudit({ now: () => now }),
    rules,
    notifyOwner: async (_tx, { id, endsWithinDays }) => void notified.push([id, endsWithinDays]),
    email,
    pageUrl: 'https://svc.example.org/svc/api-keys',
  });
const notices = { give: () => noticesWith(async (mail) => void sent.push(mail)).give() };
const endingIn = (days: number) =>
  createKey(database.pool, ownerId, { expiresAt: new Date(start.getTime() + days * dayMs) });
const after = (days: number) => new Date(start.getTime() + days * dayMs);

test('an owner is notified 14, 3 and 1 days before a key expires, once each', async () => {
  await endingIn(20);
  const mails: [number, string][] = [];
  for (let day = 0; day <= 21; day += 0.5) {
    now = after(day);
    sent = [];
    await notices.give();
    for (const mail of sent) mails.push([day, mail.subject]);
  }
  expect(mails).toEqual([
    [6, 'The API key “A key” ends in less than 14 days'],
    [17, 'The API key “A key” ends in less than 3 days'],
    [19, 'The API key “A key” ends in less than a day'],
  ]);
});

test('concurrent rounds send each notice once', async () => {
  await Promise.all(Array.from({ length: 20 }, () => endingIn(2)));
  await Promise.all([notices.give(), notices.give(), notices.give()]);
  await notices.give();
  expect(sent).toHaveLength(20);
});

test('the mail has one subject line, encodes the name of the key and links to the page of keys', async () => {
  const { id } = await endingIn(1);
  await database.query('update svc.api_keys set name = $2 where id = $1', [id, 'a\r\nb<img>']);
  await notices.give();
  expect(sent).toMatchObject([
    { to: 'owner@example.org', subject: 'The API key “a b<img>” ends in less than a day' },
  ]);
  expect(sent[0]?.html).toContain('b&lt;img&gt;');
  expect(sent[0]?.text).toContain('https://svc.example.org/svc/api-keys');
});

test.each([
  ['revoked', 'update svc.api_keys set revoked_at = now()'],
  ['replaced', 'update svc.api_keys set replaced_by_key_id = id'],
  ['from an earlier generation of its owner', 'update svc.api_keys set owner_generation = -1'],
  ['without an expiry', 'update svc.api_keys set expires_at = null'],
])('sends no notice about a key that is %s', async (_what, statement) => {
  await endingIn(2);
  await database.query(statement);
  await notices.give();
  expect(sent).toEqual([]);
});

test('without a mail adapter, or with an adapter that fails, the notice is still in the audit log', async () => {
  const [first, second] = [await endingIn(2), await endingIn(10)];
  await noticesWith(async () => {
    throw new Error('550 no such user');
  }).give();
  await noticesWith(undefined).give();
  const { rows } = await database.query<{ subject_id: number; detail: unknown }>(
    "select subject_id, detail from svc.audit_events where event = 'keys.api_key_expiry_noticed' and subject_id = any($1) order by id",
    [[first.id, second.id]],
  );
  expect(rows).toEqual([
    { subject_id: first.id, detail: { ownerUserId: ownerId, endsWithinDays: 3 } },
    { subject_id: second.id, detail: { ownerUserId: ownerId, endsWithinDays: 14 } },
  ]);
  expect(notified).toEqual([
    [first.id, 3],
    [second.id, 14],
  ]);
});

test.each([
  [
    'whose owner was disabled',
    'update svc.users set is_enabled = false',
    'update svc.users set is_enabled = true',
  ],
  [
    'whose owner was archived',
    'update svc.users set archived_at = now()',
    'update svc.users set archived_at = null',
  ],
  ['that was revoked', 'update svc.api_keys set revoked_at = now()', 'select'],
  ['that was replaced', 'update svc.api_keys set replaced_by_key_id = id', 'select'],
])('no mail is sent about a key %s while the earlier mails were being sent', async (_what, change, undo) => {
  await endingIn(2);
  await endingIn(2);
  await noticesWith(async (mail) => {
    sent.push(mail);
    await database.query(change);
  }).give();
  await database.query(undo);
  expect(sent).toHaveLength(1);
});
