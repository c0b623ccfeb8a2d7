import type { JobRecord } from '../sql/jobs/read-jobs.ts';
import {
  countJobs,
  countMembers,
  type HourlyStatistic,
  type JobCounts,
  type JobFilter,
  type JobPage,
  listJobs,
  type QueueDepth,
  readDepths,
  readFailedNames,
  readHourly,
} from '../sql/jobs/read-lists.ts';
import { listPausedQueues, listServers, type ServerRecord } from '../sql/queues.ts';
import type { Sql } from '../sql/statement.ts';
import type { JobState } from '../states.ts';

/** Read queries for a dashboard. */
export type Reads = {
  /** Returns matching jobs, newest first. Page size at most 200, default 20. */
  jobs(filter: JobFilter, page?: { readonly limit?: number; readonly offset?: number }): Promise<JobPage>;
  /** Returns the jobs of a trace, oldest first, at most 1,000. */
  trace(traceId: string): Promise<JobRecord[]>;
  counts(): Promise<JobCounts>;
  /** Returns the numbers of waiting, running and failed jobs per queue. Zero counts are omitted. */
  depths(): Promise<readonly QueueDepth[]>;
  /** Returns the number of members of a batch or message per state. States without members are omitted. */
  memberCounts(batchId: string): Promise<Partial<Record<JobState, number>>>;
  /** Returns the ended jobs of each of the last hours, oldest first: all jobs or one name. Default 24, at most 8,784 hours. */
  hourly(options?: { readonly hours?: number; readonly name?: string }): Promise<HourlyStatistic[]>;
  /** Returns the names of failed jobs with their counts, highest count first. */
  failedNames(): Promise<{ readonly name: string; readonly count: number; readonly lastFailedAt: Date }[]>;
  /** Returns the processes that run jobs. */
  servers(): Promise<ServerRecord[]>;
  /** Returns the names of the paused queues. */
  pausedQueues(): Promise<string[]>;
};

const limitDefault = 20;
const limitMax = 200;
const traceLengthMax = 1_000;
const hoursMax = 8_784;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.trunc(value)));

export function createReads(sql: Sql): Reads {
  return {
    jobs: (filter, page = {}) =>
      listJobs(sql, filter, {
        limit: clamp(page.limit ?? limitDefault, 1, limitMax),
        offset: clamp(page.offset ?? 0, 0, Number.MAX_SAFE_INTEGER),
      }),
    trace: async (traceId) => {
      const { items } = await listJobs(sql, { traceId }, { limit: traceLengthMax, offset: 0 });
      return items.toReversed();
    },
    counts: () => countJobs(sql),
    depths: () => readDepths(sql),
    memberCounts: (batchId) => countMembers(sql, batchId),
    hourly: (options = {}) => readHourly(sql, clamp(options.hours ?? 24, 1, hoursMax), options.name ?? null),
    failedNames: () => readFailedNames(sql),
    servers: () => listServers(sql),
    pausedQueues: () => listPausedQueues(sql),
  };
}
