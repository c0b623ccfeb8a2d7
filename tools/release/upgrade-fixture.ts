import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addKey, addUser } from '@svc/testkit/people/people.ts';
import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { addRecipient } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { addStock, fillStock, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { withRunFixture } from '../../trials/runs/own-fixture.ts';
import { summaryOf } from './service-summary.ts';

/**
 * `node --conditions=svc-source tools/release/upgrade-fixture.ts`: writes a backup of a small service of this version,
 * and a summary of its content, to `apps/host/src/upgrades`. The tests of each later version restore it. The key and
 * the passwords are test values. Its addresses lead nowhere.
 */
const root = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/server/package.json'), 'utf8'));
const fileOf = (ending: string): string => path.join(root, 'apps/host/src/upgrades', `${version}.${ending}`);
const bytesMax = 200_000;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Creates all kinds of data that an upgrade preserves: sealed values, versions, runs with their parts, tasks, notices. */
async function fill(fixture: RunFixture): Promise<void> {
  const { root: admin, svc } = fixture;
  await addUser(svc, 'editor', ['Editor']);
  await addKey(admin, { name: 'Planted', scopes: ['Read'], projects: [fixture.projectId] });
  const hears = await fixture.addRecipient('/hears');
  const refuses = await addRecipient(admin, {
    notificationType: 'Webhook',
    name: 'Refuses',
    destination: fixture.sink.urlOf('/refuses'),
  });
  fixture.sink.answers.set('/refuses', 500);
  const orders = await fixture.addQuery('select id, email, total from orders');
  const none = await fixture.addQuery('select id from orders where id < 0');
  const broken = await fixture.addQuery('select 1 / (id - 1) as failed from orders');
  for (const [queryId, recipientIds] of [
    [orders, [hears]],
    [orders, [hears, refuses]],
    [none, [hears]],
    [broken, [hears]],
  ] as const) {
    const subscription = { queryId, recipientIds, notificationTrigger: 'Always', createTasks: true };
    const { id } = await fixture.addSubscription(subscription);
    await admin.post(`/svc/api/subscriptions/${id}/test-run`);
    await until('the end of the run', () => endedRun(fixture));
  }
  await addStock(fixture);
  await fillStock(fixture, 2);
  await (await watchContract(fixture)).tick(2);
  // The fixture drops the watched database, so the backup refers to a placeholder.
  const connection = { host: 'db.example.org', port: 5432, user: 'reader', password: 'planted-password' };
  const moved = await admin.patch(`/svc/api/data-sources/${fixture.sourceId}`, {
    connection: { ...connection, database: 'shop', tlsMode: 'VerifyFull' },
  });
  if (moved.status >= 300) throw new Error(`The source was not moved: ${moved.status} ${moved.text}`);
}

/** Returns true when no run is open. */
async function endedRun({ svc }: RunFixture): Promise<true | undefined> {
  const { rows } = await svc.database.query(
    `select count(*)::int as runs, count(*) filter (where status = 'Created')::int as open from svc.runs`,
  );
  return rows[0]?.runs > 0 && rows[0]?.open === 0 ? true : undefined;
}

await withRunFixture('upgrade-fixture', { config: {} }, async (fixture) => {
  await fill(fixture);
  const [backup, contents] = [fileOf('backup'), fileOf('json')];
  rmSync(backup, { force: true });
  const { host, port, user, password, database } = fixture.svc.testDatabase.connection;
  const env = {
    Svc__Database__ConnectionString: `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`,
    Svc__EncryptionKey: encryptionKey,
  };
  const command = ['--conditions=svc-source', path.join(root, 'apps/host/src/cli.ts'), 'backup', backup];
  const made = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: 'inherit' });
  const [status] = await once(made, 'exit');
  if (status !== 0) throw new Error('The backup was not made.');
  const { size } = statSync(backup);
  if (size > bytesMax) throw new Error(`The backup has ${size} bytes: it stays in the repository for ever.`);
  writeFileSync(contents, `${JSON.stringify(await summaryOf(fixture.root), null, 2)}\n`);
  say(`${backup}: ${size} bytes.`);
});
