import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './program.ts';

const urlOf = ({ connection: { host, port, user, password, database } }: TestDatabase): string =>
  `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;

async function doctorOf(url: string): Promise<string> {
  let said = '';
  const env = { Svc__Database__ConnectionString: url, Svc__EncryptionKey: encryptionKey };
  const say = (line: string) => {
    said += `${line}\n`;
  };
  await runCommand(['doctor'], { env, say, answer: say }, async () => undefined);
  return said;
}

test('two processes divide the work by roles: one serves the pages, the other executes the runs started there', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const url = urlOf(database);
  const start = async (settings: Readonly<Record<string, unknown>>): Promise<HostProcess> => {
    const host = await startHost({
      withDemo: false,
      settings: {
        'Svc:Database:ConnectionString': url,
        'Svc:EncryptionKey': encryptionKey,
        ...settings,
      },
    });
    onTestFinished(() => host.stop());
    return host;
  };
  const pages = await start({ 'Svc:Host:Roles': ['Web'] });
  expect((await fetch(`${pages.origin}/svc/api/health`)).status).toBe(200);
  expect(await doctorOf(url)).toMatch(
    /warn {2}Workers: No process takes jobs.*warn {2}Scheduler: No live process/s,
  );

  const worker = await start({
    'Svc:Host:Roles': ['Worker', 'Scheduler'],
    'Svc:Jobs:Queues': ['maintenance'],
  });
  expect(worker.said()).toContain('/readyz (only Worker and Scheduler)');
  const statuses = await Promise.all(
    ['/livez', '/readyz', '/', '/svc', '/svc/setup', '/svc/api/projects'].map(
      async (path) => (await fetch(worker.origin + path, { redirect: 'manual' })).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 404, 404, 404, 404]);
  expect(await doctorOf(url)).toMatch(
    /warn {2}Workers: No live process takes jobs of: runs, deliveries, contracts, schemas, migrations, ai\..*ok {4}Scheduler/s,
  );
  // The watchdog for missed runs is a schedule of every 15 seconds in the queue maintenance.
  const client = new pg.Client(database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  const ticks =
    'select from svc_jobs.schedule_tick t join svc_jobs.job j on j.id = t.job_id where j.worker_id is not null';
  await expect.poll(async () => (await client.query(ticks)).rowCount, { timeout: 60_000 }).toBeGreaterThan(0);
});
