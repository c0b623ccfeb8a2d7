import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { addKey, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { startService } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createBackup,
  examineDatabase,
  openBackup,
  type RestoreProgress,
  restoreBackup,
  verifyBackup,
} from '../index.ts';
import { countRelations, findForeignKeys, findSequences, findTables, quoted } from './catalogue.ts';

let fixture: DeliveryFixture;
let folder: string;
let file: string;
let subscriptionId: number;
const databases: TestDatabase[] = [];
const now = new Date('2026-03-01T10:00:00Z');
/** Bytes before a name in the directory of a zip archive. */
const directoryHeadBytes = 46;

const empty = async (): Promise<TestDatabase> => {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
};
/** Starts a service with the same settings and keys on another database. */
const serviceOn = (testDatabase: TestDatabase) =>
  startService({ on: { testDatabase }, config: fixture.sink.settings });
/** Ends the session of a backup or a restore, as a failing server does. */
const cut = ({ adminConnection }: TestDatabase) =>
  using(adminConnection, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'svc migrations'`,
    ),
  );
async function using<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
/** Returns every row of every table in the backup, with the surrounding state. */
const contents = (connection: pg.ClientConfig) =>
  using(connection, async (client) => {
    const tables: Record<string, unknown> = {};
    for (const table of await findTables(client)) {
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${quoted(table)} t`,
      );
      tables[quoted(table)] = [table.columns, table.partitions, rows[0]];
    }
    return { tables, sequences: await findSequences(client), keys: await findForeignKeys(client) };
  });

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-backup-'));
  file = path.join(folder, 'svc.backup');
  fixture = await startDeliveryFixture();
  const { root, svc, sink, projectId, addQuery } = fixture;
  await addKey(root, { scopes: ['Read'], projects: [projectId] });
  const queryId = await addQuery(
    "select 'a\tb\\n' as told, null as nothing, E'two\\nlines' as lines",
    'Häufig\t"quoted"',
  );
  const recipientIds = [
    await addRecipient(root, { notificationType: 'Webhook', destination: `${sink.url}/in` }),
  ];
  subscriptionId = await addSubscription(root, { queryId, recipientIds, storeResults: true });
  await runNow(root, subscriptionId);
  await svc.sql(`select svc.add_month('runs', '2024-02-01')`);
  // Done in advance: the watchdog's first check could otherwise change the row between the backup and the
  // comparison.
  await svc.sql(`update svc.subscriptions set watch_due_at = now() + interval '1 day'`);
  await createBackup({ connection: svc.testDatabase.connection, file, now });
}, 300_000);
afterAll(async () => {
  await fixture.close();
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

test('a restored backup equals its source row for row, with months, counters and keys, and contains no session', async () => {
  const { svc } = fixture;
  const here = await contents(svc.testDatabase.connection);
  const database = await empty();
  const manifest = await restoreBackup({ connection: database.connection, file, asCopy: false });
  const there = await contents(database.connection);
  expect(Object.keys(there.tables).length).toBeGreaterThan(50);
  expect(there.keys).toEqual(here.keys);
  expect(there.sequences).toEqual(manifest.sequences);
  for (const { schema, name, rows } of manifest.tables)
    expect([name, there.tables[quoted({ schema, name })]]).toEqual([
      name,
      [expect.anything(), expect.anything(), { rows, sum: expect.any(String) }],
    ]);
  // Jobs continue during the backup. User data is identical to the last byte.
  for (const table of [
    'queries',
    'query_versions',
    'recipients',
    'subscriptions',
    'runs',
    'deliveries',
    'api_keys',
    'users',
  ])
    expect([table, there.tables[`"svc"."${table}"`]]).toEqual([table, here.tables[`"svc"."${table}"`]]);
  expect(JSON.stringify(there.tables['"svc"."runs"'])).toContain('runs_2024_02');
  const [sessions] = await using(
    database.connection,
    async (client) => (await client.query('select count(*)::int as n from svc.sessions')).rows,
  );
  expect(sessions).toEqual({ n: 0 });
});

test('a service on restored data signs users in and delivers runs with the stored secrets', async () => {
  const database = await empty();
  await restoreBackup({ connection: database.connection, file, asCopy: false });
  const replica = await serviceOn(database);
  const root = await signIn(replica, superAdmin);
  const before = fixture.sink.received.length;
  expect((await runNow(root, subscriptionId)).status).toBe('Sent');
  expect(fixture.sink.received.length).toBe(before + 1);
  await replica.close();
});

test('a restored copy sends nothing until its queues are resumed', async () => {
  const database = await empty();
  await restoreBackup({ connection: database.connection, file, asCopy: true });
  const replica = await serviceOn(database);
  const root = await signIn(replica, superAdmin);
  const before = fixture.sink.received.length;
  expect((await root.post(`/svc/api/subscriptions/${subscriptionId}/test-run`)).status).toBe(202);
  await using(database.connection, async (client) => {
    const { rows } = await client.query(
      `select name from svc_jobs.queue where paused_at is not null order by name`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['contracts', 'deliveries', 'maintenance', 'migrations', 'runs', 'schemas']),
    );
    // A tick of every loop that would have claimed it.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const jobs = await client.query(
      `select state::text from svc_jobs.job where queue = 'runs' order by created_at desc limit 1`,
    );
    expect(jobs.rows).toEqual([{ state: 'Enqueued' }]);
    expect(fixture.sink.received.length).toBe(before);
    await client.query('update svc_jobs.queue set paused_at = null');
  });
  await expect.poll(() => fixture.sink.received.length, { timeout: 60_000 }).toBe(before + 1);
  await replica.close();
});

test('a damaged, truncated, foreign or newer archive is refused with an explanation, and nothing is written', async () => {
  const database = await empty();
  const bytes = readFileSync(file);
  const damaged = (change: (bytes: Buffer) => Buffer): string => {
    const other = path.join(folder, 'damaged.backup');
    writeFileSync(other, change(Buffer.from(bytes)));
    return other;
  };
  const refusal = async (other: string): Promise<string> =>
    restoreBackup({ connection: database.connection, file: other, asCopy: false }).then(
      () => 'restored',
      (error: Error) => error.message,
    );
  expect(await refusal(damaged((all) => all.subarray(0, all.length >> 1)))).toMatch(
    /no backup of Svc, or is not whole/,
  );
  expect(await refusal(damaged(() => Buffer.from('select 1')))).toMatch(/no backup of Svc/);
  expect(await refusal(path.join(folder, 'nowhere'))).toMatch(/cannot be read/);
  const flipped = damaged((all) => {
    const at = all.indexOf('tables/svc.users.copy') + 60;
    all[at] = (all[at] ?? 0) ^ 0xff;
    return all;
  });
  expect(await refusal(flipped)).toMatch(/damaged/);
  // Fields of the directory: compression method of a table; checksum, size, and lengths of the manifest's name and
  // extra data.
  for (const [entry, offset] of [
    ['tables/svc.users.copy', 10],
    ['manifest.json', 16],
    ['manifest.json', 24],
    ['manifest.json', 28],
    ['manifest.json', 30],
  ] as const) {
    const inDirectory = damaged((all) => {
      const at = all.lastIndexOf(entry) - directoryHeadBytes + offset;
      all[at] = (all[at] ?? 0) ^ 0x01;
      return all;
    });
    expect([entry, offset, await refusal(inDirectory)]).toEqual([
      entry,
      offset,
      expect.stringMatching(
        /^The (file is no backup of Svc, or is not whole|backup is damaged).*: .*[^.]\.$/,
      ),
    ]);
  }
  expect(
    await using(
      database.connection,
      async (client) =>
        (await client.query(`select count(*)::int as n from pg_namespace where nspname like 'svc%'`)).rows,
    ),
  ).toEqual([{ n: 0 }]);
  const { svc } = fixture;
  const newer = path.join(folder, 'newer.backup');
  await svc.sql(`insert into svc.migrations (name, checksum) values ('9999-later.sql', 'x')`);
  await createBackup({ connection: svc.testDatabase.connection, file: newer, now });
  await svc.sql(`delete from svc.migrations where name = '9999-later.sql'`);
  expect(await refusal(newer)).toMatch(/newer version.*9999-later\.sql/);
  expect(
    await restoreBackup({ connection: svc.testDatabase.connection, file, asCopy: false }).catch(String),
  ).toMatch(/already holds a service/);
});

test('an archive is complete or absent, readable only by its owner, and never overwrites a file', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const backup = await openBackup(file);
  await verifyBackup(backup);
  expect(backup.manifest).toMatchObject({ format: 'svc-backup', createdAt: now.toISOString() });
  backup.close();
  const { connection } = fixture.svc.testDatabase;
  expect(await createBackup({ connection, file, now }).catch(String)).toMatch(/already there/);
  const other = path.join(folder, 'of-nothing.backup');
  const { connection: nothing } = await empty();
  expect(await createBackup({ connection: nothing, file: other, now }).catch(String)).toMatch(
    /holds no service/,
  );
  expect(() => statSync(`${other}.partial`)).toThrow('ENOENT');
  const lost = path.join(folder, 'no-such-folder', 'a.backup');
  expect(await createBackup({ connection, file: lost, now }).catch(String)).toMatch(
    /cannot be written: ENOENT.*Nothing of it is left\./,
  );
  const begun = path.join(folder, 'begun.backup');
  writeFileSync(`${begun}.partial`, 'half');
  expect(await createBackup({ connection, file: begun, now }).catch(String)).toMatch(
    /begun\.backup\.partial is already there: another backup .* Remove it/,
  );
  expect(readFileSync(`${begun}.partial`, 'utf8')).toBe('half');
});

test('a backup that loses its connection fails with an explanation and leaves no file', async () => {
  const { svc } = fixture;
  const other = path.join(folder, 'lost.backup');
  let isCut: Promise<unknown> | undefined;
  const backup = createBackup({
    connection: svc.testDatabase.connection,
    file: other,
    now,
    onTable: ({ position }) => {
      if (position === 5) isCut = cut(svc.testDatabase);
    },
  });
  expect(await backup.catch(String)).toMatch(/terminat|Connection/i);
  await isCut;
  for (const name of [other, `${other}.partial`]) expect(existsSync(name)).toBe(false);
});

test('a restore that loses its connection leaves the database empty, and succeeds when it is repeated', async () => {
  const database = await empty();
  const restore = (onProgress?: (progress: RestoreProgress) => void) =>
    restoreBackup({
      connection: database.connection,
      file,
      asCopy: false,
      ...(onProgress && { onProgress }),
    });
  let isCut: Promise<unknown> | undefined;
  const failed = restore(({ kind, position }) => {
    if (kind === 'writing' && position === 20) isCut = cut(database);
  });
  expect(await failed.catch(String)).toMatch(/terminat|Connection/i);
  await isCut;
  expect(await restore()).toMatchObject({ format: 'svc-backup' });
});

test('a restore that fails within its transaction leaves the database empty, too', async () => {
  const database = await empty();
  const onProgress = ({ kind, position }: RestoreProgress) => {
    if (kind === 'writing' && position === 20) throw new Error('Enough.');
  };
  const { connection } = database;
  await expect(restoreBackup({ connection, file, asCopy: false, onProgress })).rejects.toThrow('Enough.');
  expect(await using(connection, countRelations)).toBe(0);
});

test('a killed restore can be repeated, and no service starts on its remains', async () => {
  const database = await empty();
  const isWriting = Promise.withResolvers<void>();
  const killed = fork(new URL('./testing/stuck-restore.ts', import.meta.url), [
    JSON.stringify({ connection: database.connection, file }),
  ]);
  killed.once('message', () => isWriting.resolve());
  await isWriting.promise;
  const restore = () => restoreBackup({ connection: database.connection, file, asCopy: false });
  expect(await restore().catch(String)).toMatch(/Another restore into this database is under way/);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await serviceOn(database).catch(String)).toMatch(/was cut off, or still runs.*run restore again/);
  const { findings } = await examineDatabase({ connection: database.connection, keys: [] });
  expect(findings).toContainEqual(
    expect.objectContaining({
      subject: 'Schema',
      state: 'Fault',
      remedy: expect.stringMatching(/restore again/),
    }),
  );
  await expect.poll(() => restore().catch(String)).toMatchObject({ format: 'svc-backup' });
  const replica = await serviceOn(database);
  await signIn(replica, superAdmin);
  await replica.close();
});
