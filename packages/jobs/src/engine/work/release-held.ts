import { errorText } from '../../errors.ts';
import { releaseJobs } from '../../sql/jobs/leases.ts';
import type { Sql } from '../../sql/statement.ts';
import type { JobsLogger } from '../logger.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';

export type ReleaseDeps = { readonly sql: Sql; readonly held: HeldJobs; readonly logger: JobsLogger };

/** Returns leased jobs to their queue. Never rejects: jobs that could not be returned are ready when their lease expires. */
export async function releaseHeld(
  { sql, held, logger }: ReleaseDeps,
  jobs: readonly HeldJob[],
): Promise<void> {
  for (const job of jobs) held.remove(job);
  try {
    if (jobs.length > 0) {
      await releaseJobs(
        sql,
        jobs.map((job) => job.row),
      );
    }
  } catch (error) {
    logger.warn({ error: errorText(error) }, 'jobs could not be given back; their leases will run out');
  }
}
