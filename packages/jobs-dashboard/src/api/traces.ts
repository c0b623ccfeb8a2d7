import { attemptsOf } from '../attempts.ts';
import { isUuid } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { notFound } from '../problem.ts';
import { readTraceCalls, readTraceEntries, readTraceJobs, traceJobsMax } from '../sql/read-trace.ts';
import { idOf } from './shape.ts';

/** Returns a trace: its requests and its jobs with their attempts, for a drawing on one time axis. */
async function trace({ db, params }: Context) {
  const id = params['traceId'] ?? '';
  if (!isUuid(id)) throw notFound('trace');
  const [jobs, calls] = await Promise.all([readTraceJobs(db, id), readTraceCalls(db, id)]);
  if (jobs.length === 0 && calls.length === 0) throw notFound('trace');
  const shown = jobs.slice(0, traceJobsMax);
  const entries = Map.groupBy(
    await readTraceEntries(
      db,
      shown.map((job) => job.id),
    ),
    (entry) => entry.jobId,
  );
  return {
    traceId: id,
    isTruncated: jobs.length > shown.length,
    calls: calls.map((call) => ({ ...call, endpointId: idOf(`${call.method} ${call.routeTemplate}`) })),
    jobs: shown.map((job) => ({ ...job, attempts: attemptsOf(job, entries.get(job.id) ?? []) })),
  };
}

/** Response types before JSON serialization, for the pages. */
export type Trace = Awaited<ReturnType<typeof trace>>;

export const traceRoutes: readonly Route[] = [{ method: 'GET', path: '/traces/{traceId}', answer: trace }];
