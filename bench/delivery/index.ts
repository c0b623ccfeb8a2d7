import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { setupToken } from '../run/people.ts';
import { printCase } from '../run/report.ts';
import { inTurns } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import { type Made, watchShop } from '../run/watching.ts';

const folder = import.meta.dirname;
const recipientCount = 1_000;
/** Concurrency of the send gateway, and response time of the slow receiver. */
const concurrency = 50;
const latencyMs = 50;
/** Recipients that are created at the same time. */
const makingAtOnce = 20;

/** Starts the receiver, the service that trusts it, and the floor of the comparison. */
async function startSubjects({ connection }: BenchDatabase) {
  const receiver = await startSubject('receiver', path.join(folder, 'receiver.ts'), {});
  const settings = {
    'Svc:UserManagement:SetupToken': setupToken,
    'Svc:EncryptionKey': 'k'.repeat(32),
    'Svc:Notifications:AllowedPrivateNetworks:Webhook': ['127.0.0.0/8'],
    'Svc:Notifications:TrustedCertificates': [String(receiver.ready['certificate'])],
  };
  const service = await startSubject('service', path.join(folder, '../run/service.ts'), {
    connection,
    settings,
  });
  const floor = await startSubject('floor', path.join(folder, 'floor.ts'), {});
  return { receiver, service, floor };
}

/** Measures one run with many recipients, from its start to the last arrival. */
export const bench: Bench = {
  purpose: `a run with ${recipientCount} webhook recipients, from its start to the last arrival, against a bare undici pool`,
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const { receiver, service, floor } = await startSubjects(database);
    try {
      const startRun = await prepareRun(service, database, String(receiver.ready['origin']));
      let body = '{}';
      const timed = async (answersAfterMs: number, start: () => Promise<unknown>) => {
        const startedAtMs = performance.timeOrigin + performance.now();
        const [last] = await Promise.all([receiver.act({ wanted: recipientCount, answersAfterMs }), start()]);
        const arrival = last as { atMs: number; body: string };
        ({ body } = arrival);
        const seconds = (arrival.atMs - startedAtMs) / 1_000;
        return { seconds, perSecond: recipientCount / seconds };
      };
      // The first run provides the body for the floor.
      await timed(0, startRun);
      const posting = () => floor.act({ ...receiver.ready, body, count: recipientCount });
      const atOnce = await inTurns(
        [
          { name: floor.name, measure: () => timed(0, posting) },
          { name: service.name, measure: () => timed(0, startRun) },
        ],
        rounds,
      );
      const fast = printCase(
        `${recipientCount} webhooks, ${body.length} bytes each`,
        atOnce,
        floor.name,
        columns,
        {
          number: 'perSecond',
          isMoreBetter: true,
          target: 0.5,
        },
      );
      const ideal = {
        perSecond: concurrency / (latencyMs / 1_000),
        seconds: (recipientCount * latencyMs) / 1_000 / concurrency,
      };
      const slow = await inTurns(
        [
          { name: 'concurrency / latency', measure: async () => ideal },
          { name: service.name, measure: () => timed(latencyMs, startRun) },
        ],
        rounds,
      );
      const late = `the same, each answered after ${latencyMs} ms`;
      return [
        ...fast,
        ...printCase(late, slow, 'concurrency / latency', columns, {
          number: 'perSecond',
          isMoreBetter: true,
          target: 0.85,
        }),
      ];
    } finally {
      await Promise.all([floor.stop(), service.stop()]);
      await receiver.stop();
      await database.stop();
    }
  },
};

const pollMs = 100;

const columns = [
  { title: 's to the last', number: 'seconds', digits: 3 },
  { title: 'deliveries/s', number: 'perSecond', digits: 0 },
];

/** Creates all that a run needs by the API, and returns a function that starts one. */
async function prepareRun(
  service: Subject,
  database: BenchDatabase,
  destination: string,
): Promise<() => Promise<unknown>> {
  const { post, queryId } = await watchShop(service, database, {
    createTable: `create table orders as select n as id, 'late' as state from generate_series(1, 20) n`,
    sql: 'select * from orders',
  });
  const recipientIds: number[] = [];
  for (let first = 0; first < recipientCount; first += makingAtOnce) {
    const recipients = await Promise.all(
      Array.from({ length: makingAtOnce }, (_, index) =>
        post<Made>('/svc/api/recipients', {
          notificationType: 'Webhook',
          name: `Hook ${first + index}`,
          destination: `${destination}/hook/${first + index}`,
        }),
      ),
    );
    recipientIds.push(...recipients.map(({ id }) => id));
  }
  const subscription = await post<Made>('/svc/api/subscriptions', {
    queryId,
    cronExpression: '0 0 1 1 *',
    recipientIds,
    notificationTrigger: 'Always',
  });
  /** Starts a run and waits for its end, so that remaining work does not delay the next run. */
  return async () => {
    await post(`/svc/api/subscriptions/${subscription.id}/test-run`);
    const isUnderWay = async (): Promise<boolean> => {
      const rows = await database.sql('select from svc.runs where finished_at is null limit 1');
      return rows.length > 0;
    };
    do await setTimeout(pollMs);
    while (await isUnderWay());
  };
}
