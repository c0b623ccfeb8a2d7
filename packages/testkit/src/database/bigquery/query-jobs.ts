import { setTimeout as delay } from 'node:timers/promises';
import type { QueryBody, QueryResult, ServiceCall } from './service-call.ts';
import { asService, ServiceError } from './service-error.ts';
import { statementType } from './statement.ts';

type Job = {
  readonly id: string;
  readonly result: QueryResult;
  /** Milliseconds on the clock of `performance.now()`. Undefined: the job never ends. */
  readonly endsAt: number | undefined;
  readonly stopped: AbortController;
};

type Page = { readonly maxResults: number; readonly from: number };

/** Jobs of the service. Table names select their behaviour: `slow`, `endless`, `huge`, `policed`. */
export type QueryJobs = {
  /** Answers `jobs.query`. */
  query(call: ServiceCall): Promise<object>;
  /** Answers `jobs.getQueryResults`. */
  results(call: ServiceCall): Promise<object>;
  /** Answers `jobs.cancel`. */
  cancel(call: ServiceCall): object;
  runningCount(): number;
};

export const hugeBytes = 50 * 1_073_741_824;
export const isHuge = (sql: string): boolean => /\bhuge\b/.test(sql);
const slowMs = 700;
/** Default wait for the end of a job. After it, the response has `jobComplete: false`. */
const waitMsMax = 10_000;
const endlessWaitMs = 3_600_000;

/** Waits for the end of a job and returns a page of its result, or a response without rows after `waitMs`. */
async function awaitResult(project: string, job: Job, waitMs: number, page: Page): Promise<object> {
  const jobReference = { projectId: project, jobId: job.id, location: 'EU' };
  const remainingMs = (job.endsAt ?? Number.POSITIVE_INFINITY) - performance.now();
  if (remainingMs > 0)
    await delay(Math.min(remainingMs, waitMs), undefined, { signal: job.stopped.signal, ref: false }).catch(
      () => {},
    );
  if (job.stopped.signal.aborted)
    throw new ServiceError(400, 'stopped', 'Job execution was cancelled: User requested cancellation');
  if (remainingMs > waitMs) return { jobReference, jobComplete: false };
  const { fields, rows } = job.result;
  const to = page.from + page.maxResults;
  return {
    jobReference,
    jobComplete: true,
    schema: { fields },
    totalRows: String(rows.length),
    ...(rows.length > page.from && {
      rows: rows.slice(page.from, to).map((row) => ({ f: row.map((v) => ({ v })) })),
    }),
    ...(rows.length > to && { pageToken: `from-${to}` }),
    totalBytesProcessed: '1024',
    cacheHit: false,
  };
}

/** Throws the error response for a statement that writes, or that exceeds the limit of the caller. */
function requireQuery({ query, maximumBytesBilled }: QueryBody): void {
  if (asService(() => statementType(query)) !== 'SELECT')
    throw new ServiceError(403, 'accessDenied', 'Access Denied: the scopes of the token do not allow this.');
  const limit = Number(maximumBytesBilled ?? Number.MAX_SAFE_INTEGER);
  if (isHuge(query) && limit < hugeBytes)
    throw new ServiceError(
      400,
      'bytesBilledLimitExceeded',
      `Query exceeded limit for bytes billed: ${limit}. ${hugeBytes} or higher required.`,
    );
}

export function createQueryJobs(
  project: string,
  resultOf: (query: QueryBody, location: string | undefined) => QueryResult,
): QueryJobs {
  const jobs = new Map<string, Job>();

  const start = (body: QueryBody & { readonly location?: string }): Job => {
    const job: Job = {
      id: `job_${jobs.size + 1}`,
      stopped: new AbortController(),
      result: resultOf(body, body.location),
      endsAt: /\bendless\b/.test(body.query)
        ? undefined
        : performance.now() + (/\bslow\b/.test(body.query) ? slowMs : 0),
    };
    jobs.set(job.id, job);
    return job;
  };

  return {
    query: async (call) => {
      const body = call.body as QueryBody & { location?: string; timeoutMs?: number; maxResults?: number };
      requireQuery(body);
      const page = { maxResults: body.maxResults ?? 10_000, from: 0 };
      const results = await awaitResult(project, start(body), body.timeoutMs ?? waitMsMax, page);
      // Only this method returns the billed bytes, and not for tables with row-level access policies.
      const isBilled = 'totalRows' in results && !/\bpoliced\b/.test(body.query);
      return {
        kind: 'bigquery#queryResponse',
        ...results,
        ...(isBilled && { totalBytesBilled: '10485760' }),
      };
    },
    results: async (call) => {
      const job = jobs.get(call.names[0] ?? '');
      if (!job || call.query['location'] !== 'EU') throw new ServiceError(404, 'notFound', 'Not found: Job');
      const page = {
        maxResults: Number(call.query['maxResults'] ?? 10_000),
        from: Number(call.query['pageToken']?.replace('from-', '') ?? 0),
      };
      // Only a cancellation ends this request for an endless job: a client that waits for its response fails a test.
      const waitMs = job.endsAt === undefined ? endlessWaitMs : Number(call.query['timeoutMs'] ?? waitMsMax);
      return {
        kind: 'bigquery#getQueryResultsResponse',
        ...(await awaitResult(project, job, waitMs, page)),
      };
    },
    cancel: (call) => {
      const job = jobs.get(call.names[0] ?? '');
      if (!job) throw new ServiceError(404, 'notFound', 'Not found: Job');
      job.stopped.abort();
      return { kind: 'bigquery#jobCancelResponse', job: {} };
    },
    runningCount: () =>
      [...jobs.values()].filter(
        ({ endsAt, stopped }) =>
          !stopped.signal.aborted && (endsAt ?? Number.POSITIVE_INFINITY) > performance.now(),
      ).length,
  };
}
