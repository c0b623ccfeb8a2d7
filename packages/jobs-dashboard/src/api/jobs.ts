import { isFinalState, type JobRecord, originIn } from '@svc/jobs';
import { attemptsOf } from '../attempts.ts';
import { isUuid, numberOf, textOf } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { notFound } from '../problem.ts';
import { redact } from '../redact.ts';
import { countFailedNames, countMembers, countStates } from '../sql/counts.ts';
import { findJobs } from '../sql/find-jobs.ts';
import type { JobItem } from '../sql/job-columns.ts';
import {
  type JobMoment,
  type OriginCall,
  readHistory,
  readItems,
  readLines,
  readMoment,
  readOrigin,
} from '../sql/read-job.ts';
import { filterOf } from './job-query.ts';
import { idOf, shownPayload, tagsOf } from './shape.ts';

const limitDefault = 50;
const limitMax = 200;
/** Maximum number of children on a job's page. A list shows the others. */
const childrenShown = 20;
const historyMax = 500;
const linesMax = 500;

async function list({ db, query, isSensitive }: Context) {
  const filter = filterOf((name) => query.get(name), isSensitive);
  const limit = numberOf(query, 'limit', { min: 1, max: limitMax, byDefault: limitDefault });
  return findJobs(db, filter, { limit, cursor: textOf(query, 'cursor') });
}

/** Returns the actions that a job's state allows now. */
export function possibleActs(job: JobRecord | JobItem, moment?: JobMoment) {
  const hasEnded = isFinalState(job.state);
  return {
    canRequeue: job.kind === 'Job' && job.state !== 'Processing' && job.state !== 'Enqueued',
    canCancel: !hasEnded && job.cancelRequestedAt === null,
    canDelete: hasEnded && moment?.hasOpenBatch !== true,
  };
}

/** Returns the job of a path. @throws Problem 404. */
async function jobOf({ jobs, params }: Context): Promise<JobRecord> {
  const id = params['id'] ?? '';
  const job = isUuid(id) ? await jobs.get(id) : null;
  if (!job) throw notFound('job');
  return job;
}

async function children(context: Context, job: JobRecord) {
  const { db } = context;
  const of = (filter: Parameters<typeof findJobs>[1]) => findJobs(db, filter, { limit: childrenShown });
  const [spawned, continuations, members] = await Promise.all([
    of({ spawnedBy: job.id }),
    of({ parentId: job.id }),
    job.kind === 'Job' ? null : of({ batchId: job.id }),
  ]);
  const part = (page: Awaited<ReturnType<typeof findJobs>> | null) => ({
    items: page?.items ?? [],
    hasMore: (page?.nextCursor ?? null) !== null,
  });
  return { spawned: part(spawned), continuations: part(continuations), members: part(members) };
}

/** Returns the recorded call of the job's trace, else the request stored in the job's metadata, which has no call. */
function originOf(job: JobRecord, call: OriginCall | null) {
  if (call) return { ...call, endpointId: idOf(`${call.method} ${call.routeTemplate}`) };
  const storedOrigin = originIn(job.metadata);
  if (storedOrigin === null) return null;
  const { method, route: routeTemplate, userName } = storedOrigin;
  return {
    id: null,
    application: null,
    endpointId: null,
    method,
    routeTemplate,
    userName,
    at: job.createdAt,
  };
}

async function detail(context: Context) {
  const { db, isSensitive, mayAct } = context;
  const job = await jobOf(context);
  const [moment, history, lines, origin, relatives, below, memberCounts] = await Promise.all([
    readMoment(db, job),
    readHistory(db, job.id, historyMax),
    readLines(db, job.id, 0, linesMax + 1),
    readOrigin(db, job),
    readItems(db, [job.parentId, job.batchId, job.spawnedBy]),
    children(context, job),
    job.kind === 'Job' ? null : countMembers(db, job.id),
  ]);
  const relative = (id: string | null) => (id === null ? null : (relatives.get(id) ?? null));
  const acts = possibleActs(job, moment);
  return {
    ...job,
    payload: shownPayload(context, job.name, job.payload),
    metadata: redact(job.metadata, isSensitive),
    tags: tagsOf(job.metadata),
    scheduleId: job.scheduleKey === null ? null : idOf(job.scheduleKey),
    serverName: job.state === 'Processing' ? moment.serverName : null,
    attempts: attemptsOf(job, history),
    history,
    lines: lines.slice(0, linesMax),
    hasMoreLines: lines.length > linesMax,
    origin: originOf(job, origin),
    parent: relative(job.parentId),
    batch: relative(job.batchId),
    spawner: relative(job.spawnedBy),
    ...below,
    memberCounts,
    canRequeue: mayAct && acts.canRequeue,
    canCancel: mayAct && acts.canCancel,
    canDelete: mayAct && acts.canDelete,
  };
}

async function lines(context: Context) {
  const job = await jobOf(context);
  const after = numberOf(context.query, 'after', { min: 0, max: Number.MAX_SAFE_INTEGER, byDefault: 0 });
  const logLines = await readLines(context.db, job.id, after, linesMax + 1);
  return { items: logLines.slice(0, linesMax), hasMore: logLines.length > linesMax };
}

/** Response types before JSON serialization, for the pages. */
export type JobList = Awaited<ReturnType<typeof list>>;
export type JobDetail = Awaited<ReturnType<typeof detail>>;
export type JobLines = Awaited<ReturnType<typeof lines>>;

/** Read routes for jobs. */
export const jobRoutes: readonly Route[] = [
  { method: 'GET', path: '/jobs', answer: list },
  { method: 'GET', path: '/jobs/counts', answer: async ({ db }) => countStates(db) },
  {
    method: 'GET',
    path: '/jobs/failed-names',
    answer: async ({ db }) => ({ items: await countFailedNames(db) }),
  },
  { method: 'GET', path: '/jobs/{id}', answer: detail },
  { method: 'GET', path: '/jobs/{id}/lines', answer: lines },
];
