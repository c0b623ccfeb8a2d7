import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setUp } from '@svc/testkit/people/people.ts';
import { startWebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import { startReplica } from '../../tools/test/sessions/replica.ts';
import { startRestartableDatabase } from '../../tools/test/sessions/restartable-database.ts';
import { subscribe } from '../../tools/test/sessions/subscribe.ts';
import { openInspector } from './inspector.ts';

/**
 * `node --conditions=svc-source trials/soak/run.ts [minutes]`: runs one service process for 30 minutes under a mixed
 * load: 6 subscriptions that deliver every second, and a client that reads lists, previews, exports and writes. Prints
 * the memory in MB after a garbage collection (resident, objects, buffers) and the open files of each minute, and the
 * growth of the resident memory after the first third. Without a collection, V8 lets the heap grow as long as memory is free. Fails when a request fails, a run
 * fails, or the memory grows by 1 MB or more in 10 minutes.
 */
const [minutes = 30] = process.argv.slice(2).map(Number);
const subscriptions = 6;
const pauseMs = 200;
const growthMax = 1;

type Sample = {
  readonly minute: number;
  readonly mb: number;
  readonly objectsMb: number;
  readonly buffersMb: number;
  readonly files: number;
};

const inMb = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;

/** Slope of the least squares line in MB for 10 minutes. */
function growthOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, level] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(({ mb }) => mb))];
  const covariance = mean(samples.map(({ minute, mb }) => (minute - middle) * (mb - level)));
  return (10 * covariance) / mean(samples.map(({ minute }) => (minute - middle) ** 2));
}

const database = await startRestartableDatabase(path.join(os.tmpdir(), 'svc-trial-soak'));
const { user, password, host, port, database: name } = database.own;
const sink = await startWebhookSink();
const values = {
  ...defaultSettings,
  ...sink.settings,
  'Svc:Database:ConnectionString': `postgres://${user}:${password}@${host}:${port}/${name}`,
  'Svc:Subscriptions:MinimumIntervalSeconds': 1,
  'Svc:Logging:Level': 'error',
};
const address = Promise.withResolvers<string>();
const replica = await startReplica(values, undefined, (line) => {
  const [url] = /ws:\/\/\S+/.exec(line) ?? [];
  if (url !== undefined) address.resolve(url);
  if (line.includes('Starting inspector')) address.reject(new Error(line));
});
try {
  process.kill(replica.pid, 'SIGUSR1');
  const inspector = await openInspector(await address.promise);
  const root = await setUp(replica);
  const cronExpression = '* * * * * *';
  const { projectId, queryId, steps } = await subscribe(root, {
    database,
    sink,
    subscriptions,
    cronExpression,
  });
  const faults: string[] = [];
  let requests = 0;
  const expectOk = ({ status, text }: { status: number; text: string }) => {
    requests += 1;
    if (status >= 300) faults.push(`${status} ${text.slice(0, 200)}`);
  };
  const samples: Sample[] = [];
  const until = performance.now() + minutes * 60_000;
  let turn = 0;
  for (let minute = 1; performance.now() < until; minute += 1) {
    const endOfMinute = Math.min(until, performance.now() + 60_000);
    while (performance.now() < endOfMinute) {
      turn += 1;
      for (const route of ['subscriptions', 'notifications', 'queries', 'control-tower/health', 'home/kpis'])
        expectOk(await root.get(`/svc/api/${route}`));
      expectOk(await root.post('/svc/api/queries/preview', { projectId, steps }));
      expectOk(await root.post(`/svc/api/queries/${queryId}/export`, { format: 'Csv' }));
      expectOk(await root.post('/svc/api/projects', { name: `Project ${turn}` }));
      await delay(pauseMs);
    }
    const files = readdirSync(`/proc/${replica.pid}/fd`).length;
    const { rss, heapUsed, arrayBuffers } = await inspector.measure();
    const [mb, objectsMb, buffersMb] = [inMb(rss), inMb(heapUsed), inMb(arrayBuffers)];
    samples.push({ minute, mb, objectsMb, buffersMb, files });
    console.log(JSON.stringify(samples.at(-1)));
  }
  const growthMb = Math.round(growthOf(samples.slice(Math.floor(samples.length / 3))) * 100) / 100;
  const { totalCount: failed } = (await root.get('/svc/api/notifications?status=Failed&pageSize=1')).body;
  console.log(
    JSON.stringify({
      requests,
      delivered: sink.received.length,
      failed,
      faults: faults.slice(0, 5),
      growthMb,
    }),
  );
  process.exitCode = faults.length === 0 && failed === 0 && growthMb < growthMax ? 0 : 1;
  inspector.close();
} finally {
  await replica.stop();
  await sink.close();
  await database.stop();
}
