import { createJobs } from '@svc/jobs';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { type Replica, startReplica } from './replica.ts';
import type { RestartableDatabase } from './restartable-database.ts';
import { accountForSlots, type SlotAccount } from './slot-account.ts';

/** Result of a trial: its disturbances and the state of the slots. */
export type SlotTrialReport = SlotAccount & {
  readonly terminated: number;
  readonly restarts: number;
  /** Ended ticks that the trial requeued. */
  readonly requeued: number;
};

export type SlotTrialOptions = {
  readonly database: RestartableDatabase;
  readonly terminations: number;
  readonly restarts: number;
  readonly onRestart?: (restarts: number) => void;
};

const everySeconds = 2;
const cronExpression = `*/${everySeconds} * * * * *`;
const subscriptionCount = 3;
const betweenMsMax = 300;
const requeueMs = 500;
const rowsPerCopy = 3;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates subscriptions, a data contract and a migration job, all due every two seconds. @returns their paths. */
async function prepare(root: HttpClient, { shop }: RestartableDatabase, sink: WebhookSink) {
  const make = async (path: string, body: unknown): Promise<number> => {
    const { status, text, body: made } = await root.post(path, body);
    if (status !== 201) throw new Error(`${path} made nothing: ${status} ${text}`);
    return made.id;
  };
  const projectId = await make('/svc/api/projects', { name: 'Shop' });
  const connection = { ...shop, tlsMode: 'Disable' };
  const dataSourceId = await make('/svc/api/data-sources', {
    name: 'Shop',
    engine: 'PostgreSQL',
    connection,
  });
  await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
  await root.put(`/svc/api/data-sources/${dataSourceId}/migration-writes`, { isAllowed: true });
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
  const steps = [{ dataSourceId, sql: 'select id, email from orders' }];
  const queryId = await make('/svc/api/queries', { projectId, name: 'Orders', steps });
  const paths: string[] = [];
  for (let at = 0; at < subscriptionCount; at += 1) {
    const recipient = {
      notificationType: 'Webhook',
      name: `Hook ${at}`,
      destination: `${sink.url}/hook/${at}`,
    };
    const recipientIds = [await make('/svc/api/recipients', recipient)];
    const subscription = { queryId, recipientIds, cronExpression, notificationTrigger: 'Always' };
    paths.push(`/svc/api/subscriptions/${await make('/svc/api/subscriptions', subscription)}`);
  }
  const contracts = '/svc/api/data-quality/contracts';
  const contractId = await make(contracts, {
    projectId,
    dataSourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Orders',
    rules: [{ name: 'Some', type: 'Volume', config: { minRows: 1 } }],
    cronExpression,
    timeZone: 'UTC',
  });
  const jobs = '/svc/api/migrations/jobs';
  const migrationJobId = await make(jobs, {
    name: 'Orders',
    dataSourceId,
    source: { kind: 'Table', schema: 'public', table: 'orders' },
    destinationDataSourceId: dataSourceId,
    destination: { schema: 'public', table: 'orders_copy' },
    mode: 'Insert',
    retriesMax: 0,
    cronExpression,
    timeZone: 'UTC',
  });
  return [...paths, `${contracts}/${contractId}`, `${jobs}/${migrationJobId}`];
}

/** Requeues ended ticks until the caller stops it. */
function startRequeuing(pool: pg.Pool) {
  const jobs = createJobs({ pool });
  let isOver = false;
  let requeued = 0;
  const requeueOne = async (): Promise<void> => {
    const { rows } = await pool.query(
      `select id from svc_jobs.job where schedule_key ~ '^(subscription|contract|migration):' and state = 'Completed'
        order by random() limit 1`,
    );
    if (rows[0] && (await jobs.requeue(jobs.executor, rows[0].id)) === 'Enqueued') requeued += 1;
  };
  const work = async (): Promise<void> => {
    while (!isOver) {
      // Fails during a restart of the database. The next turn retries.
      await requeueOne().catch(() => undefined);
      await pause(requeueMs);
    }
  };
  const working = work();
  return async (): Promise<number> => {
    isOver = true;
    await working;
    return requeued;
  };
}

/** Terminates busy sessions, and restarts the server alternately like an administrator and like a crash. */
async function disturb({ database, terminations, restarts, onRestart }: SlotTrialOptions): Promise<number> {
  let terminated = 0;
  for (let round = 1; round <= restarts; round += 1) {
    const goal = Math.ceil((terminations * round) / restarts);
    while (terminated < goal) {
      await pause(Math.random() * betweenMsMax);
      if (await database.terminateOne(terminated % 2 === 0 ? 'querying' : 'idle in transaction'))
        terminated += 1;
    }
    await database.restart(round % 2 === 0 ? 'crash' : 'fast');
    onRestart?.(round);
  }
  return terminated;
}

/**
 * Runs two service processes on one database, which fire ticks of subscriptions, a data contract and a migration job.
 * Meanwhile sessions are terminated, the server is restarted and ended ticks are requeued. Afterwards counts everything
 * by slot, by job and at the sink.
 */
export async function runSlotTrial(options: SlotTrialOptions): Promise<SlotTrialReport> {
  const { database } = options;
  const sink = await startWebhookSink();
  const { host, port, user, password, database: name } = database.own;
  const values = {
    ...defaultSettings,
    ...sink.settings,
    'Svc:Database:ConnectionString': `postgres://${user}:${password}@${host}:${port}/${name}`,
    'Svc:BaseUrl': 'https://svc.example/svc',
    'Svc:Subscriptions:MinimumIntervalSeconds': 1,
    'Svc:Migrations:Enabled': true,
    'Svc:Logging:Level': 'error',
  };
  const pools = [database.own, database.shop].map((connection) => new pg.Pool({ ...connection, max: 2 }));
  const [own, shop] = pools;
  if (!own || !shop) throw new Error('There are two databases.');
  for (const pool of pools) pool.on('error', () => undefined);
  const replicas: Replica[] = [];
  try {
    await shop.query('create table orders_copy (id int, email text)');
    for (let count = 0; count < 2; count += 1) replicas.push(await startReplica(values));
    const root = await setUp({ origin: replicas[0]?.origin ?? '' });
    const paths = await prepare(root, database, sink);
    const stopRequeuing = startRequeuing(own);
    const terminated = await disturb(options).finally(stopRequeuing);
    const requeued = await stopRequeuing();
    for (const path of paths) await root.delete(path);
    const copiedRows = async () => (await shop.query('select count(*)::int as n from orders_copy')).rows[0].n;
    const account = await accountForSlots(database, sink.received, { everySeconds, rowsPerCopy, copiedRows });
    return { ...account, terminated, restarts: options.restarts, requeued };
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    for (const pool of pools) await pool.end();
    await sink.close();
  }
}
