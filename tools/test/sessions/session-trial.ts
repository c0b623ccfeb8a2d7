import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import { type Replica, startReplica } from './replica.ts';
import { type RestartableDatabase, type SessionKind, sessionKinds } from './restartable-database.ts';
import { accountForRuns, type RunAccount } from './run-account.ts';
import { atReplica, startWriters, type Written } from './writers.ts';

/** Result of a trial with lost sessions. Some members must be 0, as noted. */
export type SessionTrialReport = RunAccount & {
  /** Terminated sessions by their state. */
  readonly terminated: Readonly<Record<SessionKind, number>>;
  readonly restarts: number;
  /** Replicas that ended before the trial stopped them. Must be 0. */
  readonly exits: number;
  /** Replicas that did not stop gracefully at the end. Must be 0. */
  readonly badStops: number;
  /** Unhandled rejections and uncaught exceptions. Must be 0. */
  readonly unhandled: number;
  readonly projects: number;
  /** Projects that were answered with 201 and are not stored. Must be 0. */
  readonly lostProjects: number;
  /** Answers of 503 with `Retry-After`. */
  readonly unavailable: number;
  /** Answers other than a success or such a 503, and requests without an answer. Must be 0. */
  readonly wrongAnswers: number;
  /** Longest time in ms until a replica wrote again after the server accepted connections. */
  readonly recoveryMsMax: number;
  /** Examples of the counts that must be 0, as text. */
  readonly samples: readonly string[];
};

export type SessionTrialOptions = {
  readonly database: RestartableDatabase;
  readonly terminations: number;
  readonly restarts: number;
  readonly writers: number;
  readonly onRestart?: (restarts: number) => void;
};

const subscriptionCount = 4;
const betweenMsMax = 300;
const recoveryMsMax = 60_000;
const pollMs = 25;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates projects, a query, recipients and subscriptions: yearly ones for test runs, and one every two seconds. */
async function prepare(root: HttpClient, database: RestartableDatabase, sink: WebhookSink) {
  const make = async (path: string, body: unknown): Promise<number> => {
    const { status, text, body: made } = await root.post(path, body);
    if (status !== 201) throw new Error(`${path} made nothing: ${status} ${text}`);
    return made.id;
  };
  const projectId = await make('/svc/api/projects', { name: 'Shop' });
  const dataSourceId = await make('/svc/api/data-sources', {
    name: 'Shop database',
    engine: 'PostgreSQL',
    connection: { ...database.shop, tlsMode: 'Disable' },
  });
  await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
  const steps = [{ dataSourceId, sql: 'select id, email from orders' }];
  const queryId = await make('/svc/api/queries', { projectId, name: 'Orders', steps });
  const destination = `${sink.url}/hook`;
  const recipient = { notificationType: 'Webhook', name: 'Hook', destination };
  const subscription = {
    queryId,
    recipientIds: [await make('/svc/api/recipients', recipient)],
    notificationTrigger: 'Always',
  };
  const subscriptionIds: number[] = [];
  for (let at = 0; at < subscriptionCount; at += 1)
    subscriptionIds.push(await make('/svc/api/subscriptions', { ...subscription, cronExpression: yearly }));
  const everyTwoSeconds = { ...subscription, cronExpression: '*/2 * * * * *' };
  return { subscriptionIds, scheduledId: await make('/svc/api/subscriptions', everyTwoSeconds) };
}

/** Waits until every running replica writes again. @returns the time of the slowest, in ms. */
async function waitForRecovery(clients: readonly HttpClient[], antiforgeryToken: string, round: number) {
  const startMs = performance.now();
  const headers = { 'x-xsrf-token': antiforgeryToken };
  await Promise.all(
    clients.map(async (client, at) => {
      for (let attempt = 0; performance.now() - startMs < recoveryMsMax; attempt += 1) {
        const body = { name: `Recovery ${round} ${at} ${attempt}` };
        const answer = await client
          .post('/svc/api/projects', body, { antiforgery: false, headers })
          .catch(() => null);
        if (answer?.status === 201) return;
        await pause(pollMs);
      }
    }),
  );
  return performance.now() - startMs;
}

async function disturb(
  { database, terminations, restarts, onRestart }: SessionTrialOptions,
  clients: readonly HttpClient[],
  antiforgeryToken: string,
) {
  const terminated: Record<SessionKind, number> = { 'idle in transaction': 0, querying: 0, listening: 0 };
  const each = Math.ceil(terminations / restarts);
  let slowestMs = 0;
  let ended = 0;
  for (let round = 1; round <= restarts; round += 1) {
    const goal = Math.min(terminations, ended + each);
    // A listener reconnects after a delay. Then the turn goes to a session of the next kind.
    for (let turn = 0; ended < goal; turn += 1) {
      await pause(Math.random() * betweenMsMax);
      const kind = sessionKinds[turn % sessionKinds.length] ?? 'querying';
      if (!(await database.terminateOne(kind))) continue;
      terminated[kind] += 1;
      ended += 1;
    }
    await database.restart(round % 2 === 0 ? 'crash' : 'fast');
    slowestMs = Math.max(slowestMs, await waitForRecovery(clients, antiforgeryToken, round));
    onRestart?.(round);
  }
  return { terminated, recoveryMsMax: Math.round(slowestMs) };
}

async function countLostProjects(database: RestartableDatabase, { projects }: Written): Promise<number> {
  const { rows } = await database.query('select name from svc.projects');
  const storedNames = new Set(rows.map(({ name }) => name));
  return [...projects].filter((name) => !storedNames.has(name)).length;
}

/**
 * Runs two service processes on one database, with writers. Terminates sessions at random moments and restarts the
 * server, alternately like an administrator and like a crash. Afterwards compares the answers with the stored rows.
 */
export async function runSessionTrial(options: SessionTrialOptions): Promise<SessionTrialReport> {
  const { database } = options;
  const sink = await startWebhookSink();
  const { host, port, user, password, database: name } = database.own;
  const values = {
    ...defaultSettings,
    ...sink.settings,
    'Svc:Database:ConnectionString': `postgres://${user}:${password}@${host}:${port}/${name}`,
    'Svc:BaseUrl': 'https://svc.example/svc',
    'Svc:Subscriptions:MinimumIntervalSeconds': 1,
    'Svc:Logging:Level': 'error',
  };
  const replicas: Replica[] = [];
  try {
    for (let count = 0; count < 2; count += 1) replicas.push(await startReplica(values));
    const root = await setUp({ origin: replicas[0]?.origin ?? '' });
    const { subscriptionIds, scheduledId } = await prepare(root, database, sink);
    const clients = replicas.map(({ origin }) => atReplica(root, origin));
    const antiforgeryToken: string = (await root.get('/svc/api/csrf')).body.token;
    const { written, stop } = startWriters({
      count: options.writers,
      clients,
      antiforgeryToken,
      subscriptionIds,
      endedRuns: () => sink.received.length,
    });
    const disturbed = await disturb(options, clients, antiforgeryToken).finally(stop);
    // The scheduled subscription would add runs during the count.
    await root.delete(`/svc/api/subscriptions/${scheduledId}`);
    const account = await accountForRuns(database, sink.received, written);
    const exits = replicas.map((replica) => replica.ended()).filter((ended) => ended !== null);
    const lostProjects = await countLostProjects(database, written);
    const codes = await Promise.all(
      replicas.splice(0).map(async (replica) => {
        const code = await replica.stop();
        return { code, unhandled: replica.unhandled() };
      }),
    );
    const unhandled = codes.flatMap((one) => one.unhandled);
    return {
      ...disturbed,
      ...account,
      restarts: options.restarts,
      exits: exits.length,
      badStops: codes.filter(({ code }) => code !== 0).length,
      unhandled: unhandled.length,
      projects: written.projects.size,
      lostProjects,
      unavailable: written.unavailable,
      wrongAnswers: written.wrong.length,
      samples: [...written.wrong, ...unhandled].slice(0, 10).map((text) => text.slice(0, 1_000)),
    };
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await sink.close();
  }
}
