import { actOn } from '../act.ts';
import { checkText, isUuid } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { invalid, notFound } from '../problem.ts';
import { listRunning, listServers, type ServerItem } from '../sql/servers.ts';
import { lostAfterMs } from './overview.ts';

const maxRunningMax = 1_000_000;

const presented = ({ silentMs, ...server }: ServerItem) => ({ ...server, isLost: silentMs > lostAfterMs });

async function list({ db }: Context) {
  return { items: (await listServers(db)).map(presented) };
}

async function detail({ db, params }: Context) {
  const id = params['id'] ?? '';
  const [server] = isUuid(id) ? await listServers(db, id) : [];
  if (!server) throw notFound('server');
  return { ...presented(server), runningJobs: await listRunning(db, server.id) };
}

const queueOf = ({ params }: Context): string => checkText('The queue', params['name'] ?? '');

const pause = (isPaused: boolean) => async (context: Context) => {
  const queue = queueOf(context);
  const { queues } = context.jobs;
  return actOn(context, { kind: isPaused ? 'PauseQueue' : 'ResumeQueue', queue }, async (transaction) => {
    await (isPaused ? queues.pause(transaction, queue) : queues.resume(transaction, queue));
    return { result: { isPaused } };
  });
};

/** Limits the number of running jobs of a queue across all processes; null removes the limit. */
async function limit(context: Context) {
  const queue = queueOf(context);
  const { maxRunning } = context.body;
  const isSound =
    maxRunning === null ||
    (typeof maxRunning === 'number' &&
      Number.isInteger(maxRunning) &&
      maxRunning >= 0 &&
      maxRunning <= maxRunningMax);
  if (!isSound)
    throw invalid(`maxRunning must be a whole number from 0 to ${maxRunningMax}, or null for no bound.`);
  return actOn(context, { kind: 'LimitQueue', queue, detail: { maxRunning } }, async (transaction) => {
    await context.jobs.queues.setLimit(transaction, queue, maxRunning);
    return { result: { maxRunning } };
  });
}

/** Response types before JSON serialization, for the pages. */
export type ServerList = Awaited<ReturnType<typeof list>>;
export type ServerDetail = Awaited<ReturnType<typeof detail>>;

/** Routes for processes that run jobs, and for their queues. */
export const serverRoutes: readonly Route[] = [
  { method: 'GET', path: '/servers', answer: list },
  { method: 'GET', path: '/servers/{id}', answer: detail },
  { method: 'POST', path: '/queues/{name}/pause', answer: pause(true) },
  { method: 'POST', path: '/queues/{name}/resume', answer: pause(false) },
  { method: 'POST', path: '/queues/{name}/limit', answer: limit },
];
