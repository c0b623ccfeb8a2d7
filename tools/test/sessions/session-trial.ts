import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import { type Replica, startReplica } from './replica.ts';
import { type RestartableDatabase, type SessionKind, sessionKinds } from './restartable-database.ts';
import { accountForRuns, type RunAccount } from './run-account.ts';
import { atReplica, startWriters, type Written } from './writers.ts';

/** What a trial with lost sessions found; what must be zero is said. */
export type SessionTrialReport = RunAccount & {
  /** Sessions that were terminated, by what they were seen to do. */
  readonly terminated: Readonly<Record<SessionKind, number>>;
  readonly restarts: number;
  /** Replicas that ended before they were told to. Must be 0. */
  readonly exits: number;
  /** Replicas that did not stop in good order in the end. Must be 0. */
  readonly badStops: number;
  /** Rejections that nobody handled, and exceptions that nobody caught. Must be 0. */
  readonly unhandled: number;
  readonly projects: number;
  /** Projects that were answered with 201 and are not there. Must be 0. */
  readonly lostProjects: number;
  /** Answers of 503 with `Retry-After`. */
  readonly unavailable: number;
  /** Answers that were neither what was asked for nor such a 503, and requests without an answer. Must be 0. */
  readonly wrongAnswers: number;
  /** How long a replica took to write again once the server took connections. */
  readonly recoveryMsMax: number;
  /** Some of what must be zero, in words. */
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

/** Projects, a query, recipients and subscriptions: yearly ones to be started, and one every two seconds. */
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

/** Waits until every replica that runs writes again. @returns how long the slowest took. */
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
    // Listeners wait a while before they come back: whoever is there is taken in their place.
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
  const found = new Set(rows.map(({ name }) => name));
  return [...projects].filter((name) => !found.has(name)).length;
}

/**
 * Two service processes on one database, written to while sessions are terminated at random moments and the server is
 * restarted, in turns as an administrator does it and by a crash. Afterwards what was answered is held against what is
 * there.
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
      ...{ count: options.writers, clients, antiforgeryToken, subscriptionIds },
      endedRuns: () => sink.received.length,
    });
    const disturbed = await disturb(options, clients, antiforgeryToken).finally(stop);
    // The one on a schedule would go on while it is counted.
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
