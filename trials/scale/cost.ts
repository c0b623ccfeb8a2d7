import { setTimeout as delay } from 'node:timers/promises';
import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { watchServerCpu } from '../../bench/run/server-cpu.ts';
import { withRunFixture } from '../runs/own-fixture.ts';

/**
 * `node --conditions=svc-source trials/scale/cost.ts [seconds]`: measures the cost of a run in processor time of the
 * service and of PostgreSQL, and in stored bytes. 20 subscriptions are due each second. The usage of an idle service is
 * subtracted. A run with a message includes the work of the receiver, which is in the same process.
 */
const seconds = Number(process.argv[2] ?? 20);
const subscriptions = 20;
const idleSeconds = 10;
const config = { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 };
const microsPerMs = 1_000;

type Used = { readonly serviceMs: number; readonly databaseMs: number };

async function use(server: ReturnType<typeof watchServerCpu>, forSeconds: number): Promise<Used> {
  server.take();
  const before = process.cpuUsage();
  await delay(forSeconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return { serviceMs: (user + system) / microsPerMs, databaseMs: server.take() / microsPerMs };
}

async function kept({ svc }: RunFixture): Promise<{ readonly runs: number; readonly bytes: number }> {
  const { rows } = await svc.database.query<{ runs: number; bytes: number }>(
    `select (select count(*)::int from svc.runs where status <> 'Created') as runs, sum(pg_total_relation_size(c.oid))::bigint as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'svc' and c.relkind = 'r'`,
  );
  return rows[0] ?? { runs: 0, bytes: 0 };
}

async function measure(fixture: RunFixture, kind: 'finds nothing' | 'tells one webhook', idle: Used) {
  const tells = kind === 'tells one webhook';
  const queryId = await fixture.addQuery(`select id, email from orders${tells ? '' : ' where id < 0'}`);
  const recipientIds = [await fixture.addRecipient('/cost')];
  const notificationTrigger = tells ? 'Always' : 'OnResultCountIncrease';
  const cronExpression = '* * * * * *';
  const ids: unknown[] = [];
  for (let made = 0; made < subscriptions; made += 1) {
    const subscription = { queryId, recipientIds, notificationTrigger, cronExpression };
    ids.push((await fixture.addSubscription(subscription)).id);
  }
  // Warm-up: code is compiled and connections are open before the measurement.
  await delay(5_000);
  const server = watchServerCpu();
  const before = await kept(fixture);
  const used = await use(server, seconds);
  const after = await kept(fixture);
  for (const id of ids) await fixture.root.delete(`/svc/api/subscriptions/${id}`);
  const runs = after.runs - before.runs;
  const perRun = (total: number, idleTotal: number): number =>
    Math.round(((total - (idleTotal * seconds) / idleSeconds) / runs) * 100) / 100;
  return {
    kind,
    runs,
    serviceMsPerRun: perRun(used.serviceMs, idle.serviceMs),
    databaseMsPerRun: perRun(used.databaseMs, idle.databaseMs),
    bytesPerRun: Math.round((after.bytes - before.bytes) / runs),
  };
}

await withRunFixture('scale-cost', { config }, async (fixture) => {
  await delay(3_000);
  const idle = await use(watchServerCpu(), idleSeconds);
  console.log(JSON.stringify({ kind: 'idle', ...idle, seconds: idleSeconds }));
  for (const kind of ['finds nothing', 'tells one webhook'] as const)
    console.log(JSON.stringify(await measure(fixture, kind, idle)));
});
