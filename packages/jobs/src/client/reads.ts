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

/** What a dashboard reads. */
export type Reads = {
  /** Jobs that match, newest first; at most 200 (default 20) of them from `offset` on. */
  jobs(filter: JobFilter, page?: { readonly limit?: number; readonly offset?: number }): Promise<JobPage>;
  /** All jobs of a trace, oldest first, at most 1,000. */
  trace(traceId: string): Promise<JobRecord[]>;
  counts(): Promise<JobCounts>;
  /** How many jobs of each queue wait, run or have failed; pairs without any are left out. */
  depths(): Promise<readonly QueueDepth[]>;
  /** How many members of a batch or message are in each state; states without any are left out. */
  memberCounts(batchId: string): Promise<Partial<Record<JobState, number>>>;
  /** What ended in each of the last hours (default 24, at most 8,784), oldest first; of all jobs or one name. */
  hourly(options?: { readonly hours?: number; readonly name?: string }): Promise<HourlyStatistic[]>;
  /** Names of jobs that have failed, with their number, most first. */
  failedNames(): Promise<{ readonly name: string; readonly count: number; readonly lastFailedAt: Date }[]>;
  /** Processes that run jobs. */
  servers(): Promise<ServerRecord[]>;
  /** Names of the queues that are paused. */
  pausedQueues(): Promise<string[]>;
};

const limitDefault = 20;
const limitMax = 200;
const traceLengthMax = 1_000;
const hoursMax = 8_784;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.trunc(value)));

/** Sets up what a dashboard reads. */
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
