import { currentJobContext, defineJob, type Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import * as store from './executions/store.ts';
import { findJob, type JobDefinition, type JobRow, lockJob } from './store.ts';

type RunPayload = { readonly executionId: number; readonly destination: string };
type TickPayload = { readonly migrationJobId: number };

function positiveInteger(value: unknown, name: string): number {
  const { [name]: member } = Object(value) as Record<string, unknown>;
  if (typeof member !== 'number' || !Number.isSafeInteger(member) || member < 1)
    throw new TypeError(`${name} must be a positive integer.`);
  return member;
}

const migrationQueue = 'migrations';
/** A copy of a very large table takes days. */
const copyTimeoutMs = 72 * 3_600_000;

/** Runs one copy. Failures of data sources are outcomes. The engine retries only while the outcome is unknown. */
export const runMigration = defineJob<RunPayload>({
  name: 'run-migration',
  queue: migrationQueue,
  timeoutMs: copyTimeoutMs,
  retry: { attemptsMax: 12, delaysMs: [5_000, 30_000, 60_000, 300_000] },
  // Two copies into one table would wait for each other's locks.
  concurrency: { limit: 1, key: ({ destination }) => destination },
  parse: (value) => ({
    executionId: positiveInteger(value, 'executionId'),
    destination: String((Object(value) as Partial<RunPayload>).destination ?? ''),
  }),
});

export const migrationTick = defineJob<TickPayload>({
  name: 'migration-tick',
  queue: migrationQueue,
  retry: { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] },
  parse: (value) => ({ migrationJobId: positiveInteger(value, 'migrationJobId') }),
});

const destinationOf = ({ destinationDataSourceId: id, destination }: JobDefinition): string =>
  `${id} ${destination.schema}.${destination.table}`;

const retryDelaysMs = [30_000, 120_000, 600_000];

/** Returns the definition to snapshot, without display members. */
export function definitionIn(row: JobRow): JobDefinition {
  const {
    name,
    description,
    dataSourceId,
    source,
    destinationDataSourceId,
    destination,
    createsTable,
    mode,
  } = row;
  const {
    keyColumns,
    columns,
    incremental,
    personalData,
    onRejectedRow,
    rejectedRowsMax,
    minimumSourceRows,
  } = row;
  const { deletedShareMax, cronExpression, timeZone, isEnabled, retriesMax, timeoutMinutes } = row;
  return {
    name,
    description,
    dataSourceId,
    source,
    destinationDataSourceId,
    destination,
    createsTable,
    mode,
    keyColumns,
    columns,
    incremental,
    personalData,
    onRejectedRow,
    rejectedRowsMax,
    minimumSourceRows,
    deletedShareMax,
    cronExpression,
    timeZone,
    isEnabled,
    retriesMax,
    timeoutMinutes,
  };
}

export type Started = { readonly executionId: number; readonly jobId: string };

/** Outcome of a tick. */
export type TickOutcome = {
  /** The migration job no longer exists. */
  readonly isGone: boolean;
  /** Reason why no copy started; null when a copy started or continued. */
  readonly skipReason: string | null;
};

type StartingDeps = {
  readonly jobs: Jobs;
  /** Returns metadata of the background job that names the user. */
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
};

export type Starting = ReturnType<typeof createStarting>;

const currentTraceId = (): string | null => currentJobContext()?.traceId ?? null;

/** Inserts an execution and enqueues its job. Returns undefined when the slot already has an execution. */
async function enqueue(
  jobs: Jobs,
  tx: Tx,
  execution: store.NewExecution,
  options: { metadata?: Record<string, string>; delayMs?: number },
): Promise<Started | undefined> {
  const executionId = await store.insertExecution(tx, execution);
  if (executionId === undefined) return undefined;
  const payload = { executionId, destination: destinationOf(execution.definition) };
  const { jobId } = await jobs.enqueue(tx, runMigration, payload, options);
  await store.setJobId(tx, executionId, jobId);
  return { executionId, jobId };
}

/**
 * Enqueues a job for the open copy of a slot when its earlier job has ended. Returns the reason when it enqueues none.
 */
async function continueSlot(
  jobs: Jobs,
  tx: Tx,
  { id, status, isWorkedOn, definition }: store.SlotExecution,
  slotAt: Date,
): Promise<string | null> {
  const name = `The copy of ${slotAt.toISOString()} (${id})`;
  if (isWorkedOn) return `${name} is under way. No second copy is started.`;
  if (status !== 'Queued' && status !== 'Running')
    return `${name} has ended as ${status}. No second copy is started.`;
  const payload = { executionId: id, destination: destinationOf(definition) };
  const { jobId } = await jobs.enqueue(tx, runMigration, payload);
  await store.setJobId(tx, id, jobId);
  return null;
}

/**
 * Creates the functions that start copies: by hand, by schedule or after a failure. A job has at most one open copy.
 */
export function createStarting({ jobs, startedBy }: StartingDeps) {
  return {
    /** The caller has locked the job, and it has no open execution. */
    byHand: async (
      tx: Tx,
      caller: Caller,
      job: JobRow,
      { isTrial, retryOf }: { isTrial: boolean; retryOf: number | null },
    ): Promise<Started> => {
      const metadata = startedBy(caller);
      const started = await enqueue(
        jobs,
        tx,
        {
          migrationJobId: job.id,
          definition: definitionIn(job),
          isTrial,
          retryOf,
          traceId: currentTraceId(),
          trigger: retryOf === null ? 'Manual' : 'Retry',
          attempt: 1,
          dueAt: null,
          startedByUserId: caller.userId,
        },
        metadata ? { metadata } : {},
      );
      if (!started) throw new Error('A copy by hand has no due time.');
      return started;
    },

    /**
     * Starts the copy of a slot, or continues the existing copy. While another copy of the job is open, a tick starts
     * none: the next copy continues from its watermark.
     */
    byTick: async (tx: Tx, migrationJobId: number, slotAt: Date): Promise<TickOutcome> => {
      if (!(await lockJob(tx, migrationJobId))) return { isGone: true, skipReason: null };
      const stored = await store.findExecutionOfSlot(tx, migrationJobId, slotAt);
      if (stored) return { isGone: false, skipReason: await continueSlot(jobs, tx, stored, slotAt) };
      const job = await findJob(tx, migrationJobId);
      const skipReason = !job?.isEnabled
        ? 'The migration job is disabled. No copy is started.'
        : job.isRunning
          ? 'Another copy of the migration job is open. No copy is started.'
          : null;
      if (!job || skipReason !== null) return { isGone: false, skipReason };
      await enqueue(
        jobs,
        tx,
        {
          migrationJobId,
          definition: definitionIn(job),
          isTrial: false,
          retryOf: null,
          traceId: currentTraceId(),
          trigger: 'Schedule',
          attempt: 1,
          dueAt: slotAt,
          startedByUserId: null,
        },
        {},
      );
      return { isGone: false, skipReason: null };
    },

    /**
     * Starts a further attempt of a failed execution with the current job definition. Returns false when the job no
     * longer exists.
     */
    retry: async (tx: Tx, failed: store.ExecutionRow): Promise<boolean> => {
      const job = await findJob(tx, failed.migrationJobId);
      if (!job || job.isRunning) return false;
      const delayMs = retryDelaysMs[Math.min(failed.attempt, retryDelaysMs.length) - 1] ?? 0;
      const started = await enqueue(
        jobs,
        tx,
        {
          migrationJobId: job.id,
          definition: definitionIn(job),
          isTrial: false,
          retryOf: failed.id,
          trigger: 'Retry',
          attempt: failed.attempt + 1,
          dueAt: null,
          traceId: failed.traceId,
          startedByUserId: failed.startedByUserId,
        },
        { delayMs },
      );
      return started !== undefined;
    },
  };
}
