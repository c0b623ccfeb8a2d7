import type { MigrationReason } from '@svc/contract';
import type { Database, Tx } from '../../../platform/db/index.ts';
import { type Audit, systemActor } from '../../audit/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import type { Starting } from '../starting.ts';
import { type Claim, type End, endExecution } from './claim-store.ts';
import { type ExecutionRow, findExecution, moveWatermark } from './store.ts';

/** Ends an execution. Returns false, and writes nothing, when another process has claimed it. */
export type EndCopy = (claim: Claim, end: End) => Promise<boolean>;

/** Reasons for which a further attempt may succeed. */
const retryableReasons = new Set<MigrationReason | null>([
  'source-failed',
  'destination-failed',
  'empty-source',
  'timeout',
]);

/** Creates the function that ends a copy: status, watermark, audit, notice to the owner and a further attempt. */
export const createEndCopy =
  (deps: {
    readonly database: Database;
    readonly audit: Audit;
    readonly tellResponsible: TellResponsible;
    readonly starting: Pick<Starting, 'retry'>;
  }): EndCopy =>
  (claim, end) =>
    deps.database.transaction(async (tx) => {
      if (!(await endExecution(tx, claim, end))) return false;
      const execution = await findExecution(tx, claim.id);
      if (!execution) return true;
      const isDone = end.status === 'Completed' || end.status === 'PartialSuccess';
      if (isDone && !execution.isTrial) await moveWatermark(tx, claim.id);
      await recordEnd(deps.audit, tx, execution);
      if (end.status !== 'Failed' || execution.isTrial) return true;
      const isRetried =
        retryableReasons.has(end.reason) &&
        execution.attempt <= execution.definition.retriesMax &&
        (await deps.starting.retry(tx, execution));
      if (isRetried) return true;
      await deps.tellResponsible(tx, {
        kind: 'MigrationFailed',
        subject: { kind: 'MigrationJob', id: execution.migrationJobId },
        runId: null,
        facts: { reason: end.reason, executionId: execution.id },
        isRepetition: false,
      });
      return true;
    });

/** Records source, destination, row counts and the unmasked personal columns. */
async function recordEnd(audit: Audit, tx: Tx, execution: ExecutionRow): Promise<void> {
  const { definition } = execution;
  await audit.record(tx, {
    by: systemActor,
    event: `migrations.execution_${execution.status === 'Cancelled' ? 'cancelled' : execution.status === 'Failed' ? 'failed' : 'completed'}`,
    subject: { kind: 'migration_job', id: execution.migrationJobId },
    detail: {
      executionId: execution.id,
      isTrial: execution.isTrial,
      dataSourceId: definition.dataSourceId,
      destinationDataSourceId: definition.destinationDataSourceId,
      destination: definition.destination,
      reason: execution.reason,
      rowsRead: execution.rowsRead,
      rowsInserted: execution.rowsInserted,
      rowsUpdated: execution.rowsUpdated,
      rowsDeleted: execution.rowsDeleted,
      unmaskedColumns: execution.unmaskedColumns,
    },
  });
}
