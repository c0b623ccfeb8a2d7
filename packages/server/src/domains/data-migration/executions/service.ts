import type { ListQuery, MigrationExecution, MigrationStatus, Page } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import { type Opening, stagingNames } from '../copy-request.ts';
import { assertMayCopy } from '../definition.ts';
import { presentExecution } from '../present.ts';
import type { Started, Starting, TickOutcome } from '../starting.ts';
import { findJob, type JobRow, lockJob, readSources } from '../store.ts';
import { type Claim, claimExecution } from './claim-store.ts';
import type { EndCopy } from './ending.ts';
import { listRejected, type RejectedRowRow } from './rejected-row-store.ts';
import { createRunner, type RunnerDeps } from './runner.ts';
import * as store from './store.ts';

export type ExecutionsDeps = RunnerDeps & {
  readonly audit: Audit;
  readonly log: Pick<Logger, 'warn'>;
  readonly starting: Starting;
  readonly end: EndCopy;
};

export type ExecutionsQuery = ListQuery & {
  readonly migrationJobId?: number;
  readonly status?: MigrationStatus;
  readonly from?: string;
  readonly to?: string;
};

export type MigrationExecutionsService = ReturnType<typeof createMigrationExecutionsService>;

const cleanTimeoutMs = 30_000;
const cleanedPerRunMax = 100;

/** Creates the service that starts, cancels, retries and lists copies. The routes check permissions. */
export function createMigrationExecutionsService(deps: ExecutionsDeps) {
  const { database, starting, audit } = deps;
  const runner = createRunner(deps);

  const startIn = async (
    tx: Tx,
    by: CallerActor,
    job: JobRow,
    options: { isTrial: boolean; retryOf: number | null },
  ): Promise<Started> => {
    assertMayCopy(by.caller, job);
    await assertMayStart(tx, job);
    const started = await starting.byHand(tx, by.caller, job, options);
    await audit.record(tx, {
      by,
      event: 'migrations.execution_started',
      subject: { kind: 'migration_job', id: job.id },
      detail: { ...options, executionId: started.executionId },
    });
    return started;
  };

  return {
    run: (by: CallerActor, migrationJobId: number, isTrial: boolean): Promise<Started> =>
      database.transaction(async (tx) =>
        startIn(tx, by, await lockedJob(tx, migrationJobId), { isTrial, retryOf: null }),
      ),

    /** Restarts a failed or cancelled copy with the current definition of the job. */
    retry: (by: CallerActor, id: number): Promise<Started> =>
      database.transaction(async (tx) => {
        const failed = await store.findExecution(tx, id);
        if (!failed) throw notFound();
        const job = await lockedJob(tx, failed.migrationJobId);
        if (failed.status !== 'Failed' && failed.status !== 'Cancelled')
          throw conflict(
            'migration-not-failed',
            'Only a copy that failed or was cancelled is started again.',
          );
        return startIn(tx, by, job, { isTrial: failed.isTrial, retryOf: failed.id });
      }),

    cancel: (by: CallerActor, id: number): Promise<{ executionId: number; jobId: string | null }> =>
      database.transaction(async (tx) => {
        const execution = await store.findExecution(tx, id);
        if (!execution) throw notFound();
        if ((await store.requestCancel(tx, id)) === 'Ended')
          throw conflict('migration-ended', 'This copy has ended: there is nothing to cancel.');
        await audit.record(tx, {
          by,
          event: 'migrations.cancel_asked',
          subject: { kind: 'migration_job', id: execution.migrationJobId },
          detail: { executionId: id },
        });
        return { executionId: id, jobId: execution.jobId };
      }),

    list: async (query: ExecutionsQuery): Promise<Page<MigrationExecution>> => {
      const page = pageRequest(query, {
        sortable: store.executionSortable,
        byDefault: '-createdTime',
        unique: 'e.id',
      });
      const { migrationJobId = null, status = null, from = null, to = null } = query;
      const { rows, totalCount } = await store.listExecutions(
        database,
        { migrationJobId, status, from, to },
        page,
      );
      return pageOf(rows.map(presentExecution), totalCount, page);
    },

    get: async (id: number): Promise<MigrationExecution> => {
      const row = await store.findExecution(database, id);
      if (!row) throw notFound();
      return presentExecution(row);
    },

    rejected: async (id: number, query: ListQuery): Promise<Page<RejectedRowRow>> => {
      if (!(await store.findExecution(database, id))) throw notFound();
      const page = pageRequest(query, {
        sortable: { rowNumber: 'r.row_number' },
        byDefault: 'rowNumber',
        unique: 'r.no',
      });
      const { rows, totalCount } = await listRejected(database, id, page);
      return pageOf(rows, totalCount, page);
    },

    execute: runner.execute,

    tick: (migrationJobId: number, slotAt: Date): Promise<TickOutcome> =>
      database.transaction((tx) => starting.byTick(tx, migrationJobId, slotAt)),

    /** Ends copies whose background job has ended, and drops leftover staging tables of ended copies. */
    mind: async (signal: AbortSignal): Promise<void> => {
      for (const abandoned of await store.listAbandonedExecutions(database))
        await endAbandoned(deps, abandoned);
      for (const leftover of await store.listLeftoverStaging(database, cleanedPerRunMax)) {
        if (signal.aborted) return;
        await dropStaging(deps, leftover, signal);
      }
    },
  };
}

async function lockedJob(tx: Tx, id: number): Promise<JobRow> {
  const job = (await lockJob(tx, id)) && (await findJob(tx, id));
  if (!job) throw notFound();
  return job;
}

async function assertMayStart(tx: Tx, job: JobRow): Promise<void> {
  if (await store.hasOpenExecution(tx, job.id))
    throw conflict('migration-running', 'A copy of this job waits or runs. Wait for its end, or cancel it.');
  const [destination] = await readSources(tx, [job.destinationDataSourceId]);
  if (!destination?.areWritesAllowed)
    throw conflict(
      'migration-writes-closed',
      `Data migration may not write to ${job.destinationDataSourceName}.`,
    );
}

/** Ends a copy that the job engine has abandoned. During the commit stage, its outcome is unknown. */
async function endAbandoned({ database, end }: ExecutionsDeps, { id }: Claim): Promise<void> {
  const execution = await claimExecution(database, id);
  if (!execution) return;
  const reason = execution.stage === 'Committing' ? 'outcome-unknown' : 'destination-failed';
  await end(execution, {
    status: 'Failed',
    reason,
    message: 'The process that copied ended, and none took it over.',
  });
}

async function dropStaging(
  { database, copyData, openDataSources, log }: ExecutionsDeps & Opening,
  leftover: store.LeftoverStaging,
  signal: AbortSignal,
): Promise<void> {
  const { destination, destinationDataSourceId } = leftover.definition;
  try {
    const [opened] = await openDataSources(database, [destinationDataSourceId]);
    if (opened) {
      const target = { ...opened, id: String(opened.id) };
      const staging = { schema: destination.schema, stagingNames: stagingNames(leftover, leftover.take) };
      await copyData.dropStaging(target, staging, { signal, timeoutMs: cleanTimeoutMs });
    }
    // An archived data source cannot be opened, so its staging tables remain and no retry follows.
    await store.setClean(database, leftover.id);
  } catch (error) {
    log.warn(
      { err: error, executionId: leftover.id },
      'what a copy has left at its destination is still there',
    );
  }
}
