import { jobStates } from '@svc/jobs';
import { oneOf, textOf } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { readByName } from '../sql/by-name.ts';
import { countStates } from '../sql/counts.ts';
import { hasEndpoints } from '../sql/endpoints.ts';
import { listQueues } from '../sql/queues.ts';
import { readSeries } from '../sql/series.ts';
import { listServers } from '../sql/servers.ts';

/** Time spans of the charts: step and number of steps. */
const spans = {
  hour: ['minute', 60],
  day: ['hour', 24],
  week: ['hour', 168],
} as const;

/** Time without a heartbeat after which a process is shown as lost. The engine reports every few seconds. */
export const lostAfterMs = 30_000;

async function session({ options, visitor, mayAct }: Context) {
  return {
    visitorName: visitor.name,
    mayAct,
    title: options.title ?? 'Jobs',
    applicationName: options.applicationName ?? null,
    homeUrl: options.homeUrl ?? null,
    antiforgery: options.antiforgery ?? null,
  };
}

/** Returns the available sections in addition to jobs. */
async function addons({ db, options }: Context) {
  return { endpoints: options.observesEndpoints ?? (await hasEndpoints(db)) };
}

async function overview({ db }: Context) {
  const [states, queues, servers] = await Promise.all([countStates(db), listQueues(db), listServers(db)]);
  const alive = servers.filter(({ silentMs }) => silentMs <= lostAfterMs);
  return {
    at: new Date(),
    states: jobStates.map((state) => ({ state, ...states[state] })),
    queues,
    servers: {
      count: alive.length,
      lostCount: servers.length - alive.length,
      capacity: alive
        .flatMap(({ workers }) => workers)
        .reduce((sum, { concurrency }) => sum + concurrency, 0),
    },
  };
}

/** Returns the job counts of the last hour, as sampled by this process. */
const samples = ({ samples: { everyMs, read } }: Context) => ({ everyMs, items: read() });

/** Maximum number of job names in a chart. */
const namesShown = 10;
const hours = { hour: 1, day: 24, week: 168 } as const;

async function byName({ db, query }: Context) {
  const span = oneOf('span', textOf(query, 'span') ?? 'hour', ['hour', 'day', 'week']);
  return { span, items: await readByName(db, hours[span], namesShown) };
}

async function series({ db, query }: Context) {
  const span = oneOf('span', textOf(query, 'span') ?? 'hour', ['hour', 'day', 'week']);
  const [step, count] = spans[span];
  return { span, step, points: await readSeries(db, step, count) };
}

/** Response types before JSON serialization, for the pages. */
export type Session = Awaited<ReturnType<typeof session>>;
export type Addons = Awaited<ReturnType<typeof addons>>;
export type Overview = Awaited<ReturnType<typeof overview>>;
export type SampleList = ReturnType<typeof samples>;
export type ByName = Awaited<ReturnType<typeof byName>>;
export type Series = Awaited<ReturnType<typeof series>>;

/** Routes for the overview page and for the initial requests of every page. */
export const overviewRoutes: readonly Route[] = [
  { method: 'GET', path: '/session', answer: session },
  { method: 'GET', path: '/addons', answer: addons },
  { method: 'GET', path: '/overview', answer: overview },
  { method: 'GET', path: '/overview/series', answer: series },
  { method: 'GET', path: '/overview/samples', answer: samples },
  { method: 'GET', path: '/overview/by-name', answer: byName },
  { method: 'GET', path: '/queues', answer: async ({ db }) => ({ items: await listQueues(db) }) },
];
