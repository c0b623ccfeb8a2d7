import { defineJob, JobAbortError, type JobRun, type Jobs, requireSlot } from '@svc/jobs';
import { CopyRefusal } from '../../gateways/copy-data/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import type { MigrationExecutionsService } from './executions.ts';
import { migrationTick, runMigration } from './starting.ts';

/** Ends copies whose background job has ended, and drops their leftover staging tables. */
const mindMigrations = defineJob<null>({
  name: 'mind-migrations',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** Starts or removes the schedule of a migration job in the job engine. */
export type MigrationSchedule = (
  tx: Tx,
  migrationJobId: number,
  schedule: { readonly cronExpression: string; readonly timeZone: string } | undefined,
) => Promise<void>;

const keyOf = (migrationJobId: number): string => `migration:${migrationJobId}`;

export const createMigrationSchedule =
  (jobs: Jobs): MigrationSchedule =>
  async (tx, migrationJobId, schedule) => {
    if (!schedule) return void (await jobs.schedules.remove(tx, keyOf(migrationJobId)));
    await jobs.schedules.put(tx, {
      key: keyOf(migrationJobId),
      cron: schedule.cronExpression,
      timeZone: schedule.timeZone,
      job: migrationTick,
      payload: { migrationJobId },
    });
  };

/**
 * Converts a cancellation at the job dashboard to a refusal, which ends the copy. A stopped process or a lost lease
 * only releases the copy, and another process resumes it.
 */
function signalOf({ signal }: JobRun): AbortSignal {
  const copy = new AbortController();
  const abort = () => {
    const { reason } = signal;
    const isCancelled = reason instanceof JobAbortError && reason.cause === 'Cancelled';
    copy.abort(isCancelled ? new CopyRefusal('cancelled', 'The job of the copy was cancelled.') : reason);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return copy.signal;
}

/** While data migration is disabled, a schedule starts nothing. Queued copies continue after it is enabled again. */
export const ignoreMigrationTicks = (jobs: Jobs): void => jobs.handle(migrationTick, () => undefined);

/** Creates the background work of data migration. */
export function createMigrationJobs({
  jobs,
  executions,
}: {
  readonly jobs: Jobs;
  readonly executions: MigrationExecutionsService;
}) {
  jobs.handle(runMigration, ({ executionId }, run) =>
    executions.execute(executionId, { signal: signalOf(run), progress: run.progress.bind(run) }),
  );
  jobs.handle(migrationTick, async ({ migrationJobId }, run) => {
    // A job archived by the demo, outside this service, still has its schedule.
    const { isGone, skipReason } = await executions.tick(migrationJobId, requireSlot(run));
    if (isGone) await jobs.schedules.remove(jobs.executor, keyOf(migrationJobId));
    if (skipReason !== null) run.log(skipReason);
  });
  jobs.handle(mindMigrations, (_payload, { signal }) => executions.mind(signal));
  return {
    /** Registers the recurring maintenance job and enqueues it once. Called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:mind-migrations',
        cron: '*/10 * * * *',
        timeZone: 'UTC',
        job: mindMigrations,
        payload: null,
      });
      await jobs.enqueue(jobs.executor, mindMigrations, null);
    },
  };
}
