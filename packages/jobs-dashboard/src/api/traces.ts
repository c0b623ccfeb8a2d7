import { attemptsOf } from '../attempts.ts';
import { isUuid } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { notFound } from '../problem.ts';
import { readTraceCalls, readTraceEntries, readTraceJobs, traceJobsMax } from '../sql/read-trace.ts';
import { idOf } from './shape.ts';

/** A trace: its requests and jobs with their attempts, to be drawn on one axis of time. */
async function trace({ db, params }: Context) {
  const id = params['traceId'] ?? '';
  if (!isUuid(id)) throw notFound('trace');
  const [found, calls] = await Promise.all([readTraceJobs(db, id), readTraceCalls(db, id)]);
  if (found.length === 0 && calls.length === 0) throw notFound('trace');
  const shown = found.slice(0, traceJobsMax);
  const entries = Map.groupBy(
    await readTraceEntries(
      db,
      shown.map((job) => job.id),
    ),
    (entry) => entry.jobId,
  );
  return {
    traceId: id,
    isTruncated: found.length > shown.length,
    calls: calls.map((call) => ({ ...call, endpointId: idOf(`${call.method} ${call.routeTemplate}`) })),
    jobs: shown.map((job) => ({ ...job, attempts: attemptsOf(job, entries.get(job.id) ?? []) })),
  };
}

/** Answers, before they are written as JSON: the pages know them by these types. */
export type Trace = Awaited<ReturnType<typeof trace>>;

export const traceRoutes: readonly Route[] = [{ method: 'GET', path: '/traces/{traceId}', answer: trace }];
