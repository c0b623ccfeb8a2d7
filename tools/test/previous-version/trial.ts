import path from 'node:path';
import { jobMigrations } from '@svc/jobs';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addDataSource, addQuery, startSource } from '@svc/testkit/runs/watch.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { migrateJobs } from '../../../packages/jobs/src/db/migrate.ts';
import { migrate, readMigrations } from '../../../packages/server/src/platform/db/index.ts';
import { startReplica } from '../sessions/replica.ts';
import { checkOut, migrationsOf, type PreviousVersion } from './checkout.ts';

export type TrialMigration = {
  readonly schema: 'svc' | 'svc_jobs';
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
};

/** Result of the previous version after a migration, in the window of that migration. */
export type TrialVerdict = {
  readonly schema: TrialMigration['schema'];
  readonly name: string;
  readonly checksum: string;
  readonly verdict: 'MayRoll' | 'MustStop';
  /** Reason to stop it; null when it may keep running. */
  readonly because: string | null;
};

export type TrialReport = {
  readonly previous: string;
  readonly verdicts: readonly TrialVerdict[];
  readonly runs: number;
  readonly deliveries: number;
  readonly requests: number;
};

const subscriptionCount = 4;
const recoveryMsMax = 60_000;
const pollMs = 250;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const pendingFor = (previous: PreviousVersion): TrialMigration[] => {
  const appliedNames = migrationsOf(previous);
  const of = (schema: TrialMigration['schema'], files: readonly Omit<TrialMigration, 'schema'>[]) =>
    files.filter(({ name }) => !appliedNames[schema].has(name)).map((file) => ({ ...file, schema }));
  return [...of('svc', readMigrations()), ...of('svc_jobs', jobMigrations())];
};

/** Creates subscriptions that run every second and deliver each time. */
async function subscribe(
  root: HttpClient,
  sink: WebhookSink,
  source: { connection: Record<string, unknown> },
) {
  const make = async (route: string, body: unknown): Promise<number> => {
    const answer = await root.post(route, body);
    if (answer.status !== 201) throw new Error(`${route} made nothing: ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const projectId = await addProject(root, 'Shop');
  const dataSourceId = await addDataSource(root, projectId, source.connection, 'Shop database');
  const queryId = await addQuery(root, projectId, dataSourceId, 'select 1 as one', 'One');
  const recipient = { notificationType: 'Webhook', name: 'Hook', destination: `${sink.url}/hook` };
  const recipientIds = [await make('/svc/api/recipients', recipient)];
  for (let at = 0; at < subscriptionCount; at += 1)
    await make('/svc/api/subscriptions', {
      queryId,
      recipientIds,
      notificationTrigger: 'Always',
      cronExpression: '* * * * * *',
    });
  return projectId;
}

type Counts = { readonly runs: number; readonly failedRuns: number; readonly failedJobs: number };

async function countsOf(client: pg.Client): Promise<Counts> {
  const { rows } = await client.query<Counts>(
    `select (select count(*)::int from svc.runs where status = 'Sent') as runs,
       (select count(*)::int from svc.runs where status in ('Failed', 'Timeout')) as "failedRuns",
       (select count(*)::int from svc_jobs.job where state in ('Failed', 'AwaitingRetry')) as "failedJobs"`,
  );
  const [counts] = rows;
  if (!counts) throw new Error('One row of counts was expected.');
  return counts;
}

/** Sends the requests of a user during the trial: reads and writes of the most used pages. */
function startRequests(root: HttpClient, projectId: number) {
  const faults: string[] = [];
  let requests = 0;
  let isStopped = false;
  const send = async (method: string, route: string, body?: unknown) => {
    requests += 1;
    const answer = await root
      .send(method, route, body)
      .catch((error: unknown) => ({ status: 0, text: String(error) }));
    if (answer.status === 0 || answer.status >= 500)
      faults.push(`${method} ${route}: ${answer.status} ${answer.text.slice(0, 200)}`);
  };
  const going = (async () => {
    for (let round = 0; !isStopped; round += 1) {
      for (const route of [
        'subscriptions',
        'notifications',
        'queries',
        'recipients',
        'control-tower/health',
        'tasks',
        'notices',
      ])
        await send('GET', `/svc/api/${route}`);
      await send('POST', '/svc/api/projects', { name: `Project ${round}` });
      await send('GET', `/svc/api/projects/${projectId}`);
      await pause(pollMs);
    }
  })();
  return {
    faults: () => faults.splice(0),
    count: () => requests,
    stop: async () => {
      isStopped = true;
      await going;
    },
  };
}

type Watched = {
  readonly client: pg.Client;
  readonly sink: WebhookSink;
  readonly requests: ReturnType<typeof startRequests>;
  readonly ended: () => string | null;
};

/** Watches the previous version for a window. @returns the reason to stop it; null when it works as before. */
async function watch({ client, sink, requests, ended }: Watched, windowMs: number): Promise<string | null> {
  // A statement that was prepared before a table change fails once. Discards these faults; later ones count.
  requests.faults();
  const before = await countsOf(client);
  const deliveriesBefore = sink.received.length;
  const until = performance.now() + windowMs;
  const hasProgress = async () =>
    (await countsOf(client)).runs > before.runs + subscriptionCount &&
    sink.received.length > deliveriesBefore + subscriptionCount;
  while (performance.now() < until) {
    await pause(Math.min(pollMs, windowMs));
    const end = ended();
    if (end !== null) return `the process ended with ${end}`;
  }
  for (let waitedMs = 0; !(await hasProgress()); waitedMs += pollMs) {
    if (waitedMs > recoveryMsMax) {
      const after = await countsOf(client);
      return `${after.runs - before.runs} runs and ${sink.received.length - deliveriesBefore} deliveries in the window`;
    }
    await pause(pollMs);
  }
  const [fault] = requests.faults();
  if (fault !== undefined) return fault;
  const after = await countsOf(client);
  if (after.failedRuns > before.failedRuns) return `${after.failedRuns - before.failedRuns} runs failed`;
  return after.failedJobs > before.failedJobs ? `${after.failedJobs - before.failedJobs} jobs failed` : null;
}

const urlOf = ({ connection }: TestDatabase): string =>
  `postgres://${connection.user}:${encodeURIComponent(connection.password)}@${connection.host}:${connection.port}/${connection.database}`;

/** Applies one file of a schema, after the files before it. */
async function apply(client: pg.Client, { schema, name }: TrialMigration): Promise<void> {
  if (schema === 'svc') {
    const files = readMigrations();
    await migrate(client, files.slice(0, files.findIndex((file) => file.name === name) + 1));
    return;
  }
  const files = jobMigrations();
  await migrateJobs(client, {
    migrations: files.slice(0, files.findIndex((file) => file.name === name) + 1),
  });
}

export type TrialOptions = {
  readonly previous: PreviousVersion;
  /** Empty databases: one for the service, one as data source. The trial drops the second. */
  readonly databases: { readonly own: TestDatabase; readonly shop: TestDatabase };
  /** Duration in ms for which the previous version is watched after each migration. */
  readonly windowMs: number;
  /** Duration in ms for which it is watched after the last migration. */
  readonly lastWindowMs: number;
  /** Additional schema changes after the migrations, for a test of the trial. */
  readonly planted?: readonly { readonly name: string; readonly sql: string }[];
  readonly onVerdict?: (verdict: TrialVerdict) => void;
};

/**
 * Runs the previous version under load and applies the migrations of this version in order. Decides about each
 * migration by the behaviour of the previous version. After the first migration that breaks it, the rest cannot be
 * decided: those migrations require a stop as well.
 */
export async function runPreviousVersionTrial(options: TrialOptions): Promise<TrialReport> {
  const { previous, onVerdict = () => undefined } = options;
  const checkout = checkOut(previous);
  const { own: database, shop } = options.databases;
  const [source, sink] = [await startSource(shop), await startWebhookSink()];
  const client = new pg.Client(database.connection);
  await client.connect();
  const values = {
    ...defaultSettings,
    ...sink.settings,
    'Svc:Database:ConnectionString': urlOf(database),
    'Svc:Subscriptions:MinimumIntervalSeconds': 1,
    'Svc:Logging:Level': 'error',
  };
  try {
    const replica = await startReplica(values, path.join(checkout.folder, 'apps/host/src/cli.ts'));
    try {
      const root = await setUp(replica);
      const requests = startRequests(root, await subscribe(root, sink, source));
      const watched = { client, sink, requests, ended: replica.ended };
      const before = await watch(watched, options.windowMs);
      if (before !== null) throw new Error(`The previous version does not work by itself: ${before}`);
      const verdicts = await decideEach(options, watched, onVerdict);
      await requests.stop();
      const { runs } = await countsOf(client);
      return {
        previous: previous.name,
        verdicts,
        runs,
        deliveries: sink.received.length,
        requests: requests.count(),
      };
    } finally {
      await replica.stop();
    }
  } finally {
    await client.end();
    await Promise.all([sink.close(), source.close()]);
    checkout.remove();
  }
}

async function decideEach(
  { previous, windowMs, lastWindowMs, planted = [] }: TrialOptions,
  watched: Watched,
  onVerdict: (verdict: TrialVerdict) => void,
): Promise<TrialVerdict[]> {
  const pending = pendingFor(previous);
  const steps = [
    ...pending.map((migration) => ({ migration, run: () => apply(watched.client, migration) })),
    ...planted.map(({ name, sql }) => ({
      migration: { schema: 'svc' as const, name, sql, checksum: '' },
      run: async () => void (await watched.client.query(sql)),
    })),
  ];
  const verdicts: TrialVerdict[] = [];
  let stoppedBy: string | undefined;
  for (const [at, { migration, run }] of steps.entries()) {
    let because =
      stoppedBy === undefined ? null : `not judged: ${stoppedBy} stops the previous version already`;
    if (stoppedBy === undefined) {
      await run();
      because = await watch(watched, at === steps.length - 1 ? lastWindowMs : windowMs);
      if (because !== null) stoppedBy = migration.name;
    }
    const { schema, name, checksum } = migration;
    const verdict: TrialVerdict = {
      schema,
      name,
      checksum,
      verdict: because === null ? 'MayRoll' : 'MustStop',
      because,
    };
    verdicts.push(verdict);
    onVerdict(verdict);
  }
  return verdicts;
}
