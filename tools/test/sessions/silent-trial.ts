import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { openSilentProxy, type SilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { startWebhookSink, type WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import { startReplica } from './replica.ts';
import type { RestartableDatabase } from './restartable-database.ts';
import { subscribe } from './subscribe.ts';
import { atReplica } from './writers.ts';

/** Result of a trial with silent sessions. Times are in ms from the moment of silence. */
export type SilentTrialReport = {
  /** Sessions of the service that went silent. */
  readonly silentSessions: number;
  /** Subscriptions that delivered again. Must be all. */
  readonly resumed: number;
  readonly subscriptions: number;
  /** Longest time until a subscription delivered again. At most 60,000. */
  readonly resumedMsMax: number;
  /** Requests that were sent during the silence. */
  readonly requests: number;
  /** Longest time until a request was answered. At most 35,000. */
  readonly answeredMsMax: number;
  /** Answers of 503 with `Retry-After`. */
  readonly unavailable: number;
  /** All other answers but a success, and requests without an answer. Must be empty. */
  readonly wrong: readonly string[];
  /** Statuses of `/readyz` during the silence, in order. */
  readonly readiness: readonly number[];
  /** First errors that the service logged, to explain wrong answers. */
  readonly logged: readonly string[];
};

export type SilentTrialOptions = {
  readonly database: RestartableDatabase;
  readonly subscriptions: number;
  readonly readers: number;
  /** Duration of the silence in ms; afterwards the delayed bytes arrive. Null: until the end of the trial. */
  readonly silentMs: number | null;
};

const givenUpAfterMs = 150_000;
const pauseMs = 100;
const loggedMax = 20;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const pathsOf = (sink: WebhookSink, from: number): Set<string> =>
  new Set(sink.received.slice(from).map(({ path }) => path));

async function untilAllDelivered(sink: WebhookSink, from: number, count: number): Promise<void> {
  const until = performance.now() + givenUpAfterMs;
  while (pathsOf(sink, from).size < count && performance.now() < until) await pause(pauseMs);
}

type Observed = { requests: number; answeredMsMax: number; unavailable: number; wrong: string[] };

/** Reads and writes until `isOver`, one request at a time. */
async function request(client: HttpClient, headers: object, isOver: () => boolean, seen: Observed) {
  for (let turn = 0; !isOver(); turn += 1) {
    const startMs = performance.now();
    seen.requests += 1;
    try {
      const answer =
        turn % 2 === 0
          ? await client.get('/svc/api/subscriptions')
          : await client.post(
              '/svc/api/projects',
              { name: `Project ${seen.requests} ${startMs}` },
              { antiforgery: false, headers: { ...headers } },
            );
      const isUnavailable = answer.status === 503 && Number(answer.headers.get('retry-after')) > 0;
      if (isUnavailable) seen.unavailable += 1;
      else if (answer.status >= 300) seen.wrong.push(`${answer.status} ${answer.text.slice(0, 300)}`);
    } catch (error) {
      seen.wrong.push(String(error));
    }
    seen.answeredMsMax = Math.max(seen.answeredMsMax, Math.round(performance.now() - startMs));
    await pause(pauseMs);
  }
}

async function probe(origin: string, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  while (!isOver()) {
    statuses.push((await fetch(`${origin}/readyz`)).status);
    await pause(1_000);
  }
  return statuses;
}

async function observe(
  root: HttpClient,
  origin: string,
  sink: WebhookSink,
  proxy: SilentProxy,
  options: SilentTrialOptions,
) {
  const headers = { 'x-xsrf-token': (await root.get('/svc/api/csrf')).body.token };
  await untilAllDelivered(sink, 0, options.subscriptions);
  const seen: Observed = { requests: 0, answeredMsMax: 0, unavailable: 0, wrong: [] };
  let isDone = false;
  const isOver = () => isDone;
  const from = sink.received.length;
  const startMs = performance.now();
  const silentSessions = proxy.silence();
  const readers = Array.from({ length: options.readers }, () =>
    request(atReplica(root, origin), headers, isOver, seen),
  );
  const probes = probe(origin, isOver);
  await untilAllDelivered(sink, from, options.subscriptions);
  const resumedMsMax = Math.round(performance.now() - startMs);
  if (options.silentMs !== null) {
    await pause(Math.max(0, options.silentMs - resumedMsMax));
    proxy.restore();
    await untilAllDelivered(sink, sink.received.length, options.subscriptions);
  }
  isDone = true;
  await Promise.all(readers);
  return {
    silentSessions,
    resumed: pathsOf(sink, from).size,
    subscriptions: options.subscriptions,
    resumedMsMax,
    ...seen,
    readiness: await probes,
  };
}

/**
 * Runs a service process with subscriptions and requests while its sessions of the metadata database go silent. Packets
 * are lost, no connection is closed, and new connections work.
 */
export async function runSilentTrial(options: SilentTrialOptions): Promise<SilentTrialReport> {
  const { host, port, user, password, database: name } = options.database.own;
  const proxy = await openSilentProxy({ host, port });
  const sink = await startWebhookSink();
  const values = {
    ...defaultSettings,
    ...sink.settings,
    'Svc:Database:ConnectionString': `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${name}`,
    'Svc:BaseUrl': 'https://svc.example/svc',
    'Svc:Subscriptions:MinimumIntervalSeconds': 1,
    'Svc:Logging:Level': 'error',
  };
  const logged: string[] = [];
  const replica = await startReplica(values, undefined, (line) => {
    if (line.includes('"level":50') && logged.length < loggedMax) logged.push(line);
  });
  try {
    const root = await setUp({ origin: replica.origin });
    await subscribe(root, { ...options, sink, cronExpression: '*/5 * * * * *' });
    return { ...(await observe(root, replica.origin, sink, proxy, options)), logged };
  } finally {
    await replica.stop();
    await sink.close();
    await proxy.stop();
  }
}
