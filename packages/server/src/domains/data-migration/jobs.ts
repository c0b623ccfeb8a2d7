import { defineJob, JobAbortError, type JobRun, type Jobs, requireSlot } from '@svc/jobs';
import { CopyRefusal } from '../../doors/copy-data/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import type { MigrationExecutionsService } from './executions.ts';
import { migrationTick, runMigration } from './starting.ts';

/** Looks after copies whose job is over, and after what they have left at destinations. */
const mindMigrations = defineJob<null>({
  name: 'mind-migrations',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

/** The schedules of jobs at the job engine. */
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

/** A copy that is cancelled at the dashboard ends; one whose process stops or loses its lease is taken up again. */
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

/** While data migration is off: a schedule starts nothing. What waits goes on once it is on again. */
export const ignoreMigrationTicks = (jobs: Jobs): void => jobs.handle(migrationTick, () => undefined);

/** The background work of data migration. */
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
    // Archived beside its service, as the demo is: nobody has taken its schedule away.
    const { isGone, skipReason } = await executions.tick(migrationJobId, requireSlot(run));
    if (isGone) await jobs.schedules.remove(jobs.executor, keyOf(migrationJobId));
    if (skipReason !== null) run.log(skipReason);
  });
  jobs.handle(mindMigrations, (_payload, { signal }) => executions.mind(signal));
  return {
    /** Registers the recurring look, and makes one; called at start. */
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
