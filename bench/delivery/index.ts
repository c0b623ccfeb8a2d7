import path from 'node:path';
import pg from 'pg';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { addEditor, apiOf, cookieOf, setupToken } from '../run/people.ts';
import { printCase } from '../run/report.ts';
import { inTurns } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';

const folder = import.meta.dirname;
const recipientCount = 200;

/** One run that tells many recipients, from the click to the last arrival. */
export const bench: Bench = {
  purpose: `a run with ${recipientCount} webhook recipients, from its start to the last arrival, against a bare undici pool`,
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const receiver = await startSubject('receiver', path.join(folder, 'receiver.ts'), {});
    const settings = {
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:EncryptionKey': 'k'.repeat(32),
      'Svc:Notifications:AllowedPrivateNetworks:Webhook': ['127.0.0.0/8'],
      'Svc:Notifications:TrustedCertificates': [String(receiver.ready['certificate'])],
    };
    const { connection } = database;
    const service = await startSubject('service', path.join(folder, '../run/service.ts'), {
      connection,
      settings,
    });
    const floor = await startSubject('floor', path.join(folder, 'floor.ts'), {});
    try {
      const startRun = await prepareRun(service, database, String(receiver.ready['origin']));
      let body = '{}';
      const timed = async (start: () => Promise<unknown>) => {
        const startedAtMs = performance.timeOrigin + performance.now();
        const [last] = await Promise.all([receiver.act(recipientCount), start()]);
        const arrival = last as { atMs: number; body: string };
        ({ body } = arrival);
        const seconds = (arrival.atMs - startedAtMs) / 1_000;
        return { seconds, perSecond: recipientCount / seconds };
      };
      // The first run gives the body that the floor posts too.
      await timed(startRun);
      const posting = () => floor.act({ ...receiver.ready, body, count: recipientCount });
      const medians = await inTurns(
        [
          { name: floor.name, measure: () => timed(posting) },
          { name: service.name, measure: () => timed(startRun) },
        ],
        rounds,
      );
      printCase(`${recipientCount} webhooks, ${body.length} bytes each`, medians, floor.name, columns, {
        number: 'perSecond',
        isMoreBetter: true,
      });
    } finally {
      await Promise.all([floor.stop(), service.stop()]);
      await receiver.stop();
      await database.stop();
    }
  },
};

const columns = [
  { title: 's to the last', number: 'seconds', digits: 3 },
  { title: 'deliveries/s', number: 'perSecond', digits: 0 },
];

type Made = { readonly id: number };

/** Makes all that a run needs, by the API, and gives what starts one. */
async function prepareRun(
  service: Subject,
  database: BenchDatabase,
  destination: string,
): Promise<() => Promise<unknown>> {
  const origin = String(service.ready['origin']);
  await addEditor(origin, database);
  const shop = { ...database.loopback, database: 'shop' };
  const client = new pg.Client(shop);
  await client.connect();
  await client.query(`create table orders as select n as id, 'late' as state from generate_series(1, 20) n`);
  await client.end();
  const post = apiOf(origin, await cookieOf(origin, 'root'));
  const project = await post<Made>('/svc/api/projects', { name: 'Bench' });
  const source = await post<Made>('/svc/api/data-sources', {
    name: 'Shop',
    engine: 'PostgreSQL',
    connection: { ...shop, tlsMode: 'Disable' },
  });
  await post(`/svc/api/projects/${project.id}/data-sources`, { dataSourceId: source.id });
  const query = await post<Made>('/svc/api/queries', {
    projectId: project.id,
    name: 'Late orders',
    steps: [{ name: 'orders', dataSourceId: source.id, sql: 'select * from orders' }],
  });
  const recipientIds: number[] = [];
  for (let number = 0; number < recipientCount; number += 1) {
    const { id } = await post<Made>('/svc/api/recipients', {
      notificationType: 'Webhook',
      name: `Hook ${number}`,
      destination: `${destination}/hook/${number}`,
    });
    recipientIds.push(id);
  }
  const subscription = await post<Made>('/svc/api/subscriptions', {
    queryId: query.id,
    cronExpression: '0 0 1 1 *',
    recipientIds,
    notificationTrigger: 'Always',
  });
  return () => post(`/svc/api/subscriptions/${subscription.id}/test-run`);
}
