import type { MigrationReason, MigrationStatus } from '@svc/contract';
import type { CopyOutcome, CopyProgress } from '../../../gateways/copy-data/index.ts';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import { type ExecutionRow, executionColumns } from './store.ts';

/**
 * Claims an execution. From then on, writes of earlier claims have no effect. Returns undefined when the execution has
 * ended.
 */
export async function claimExecution(executor: Executor, id: number): Promise<ExecutionRow | undefined> {
  const { rows } = await executor.query<ExecutionRow>(
    `update svc.migration_executions e set take = take + 1, status = 'Running', started_at = coalesce(started_at, now()),
        has_staging = true
      where id = $1 and status in ('Queued', 'Running') returning ${executionColumns}`,
    [id],
  );
  return rows[0];
}

/** An execution as one process has claimed it. */
export type Claim = Pick<ExecutionRow, 'id' | 'take'>;

/** Restricts a write to the current claim. */
const ofClaim = `where id = $1 and take = $2 and status = 'Running'`;

/** Stores the row estimate of the source, once per claim. */
export async function setEstimate(executor: Executor, { id, take }: Claim, rows: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.migration_executions set estimated_rows = $3 ${ofClaim}`,
    [id, take, Math.round(rows)],
  );
  return (rowCount ?? 0) > 0;
}

export async function setStage(executor: Executor, { id, take }: Claim, stage: string): Promise<boolean> {
  const { rowCount } = await executor.query(`update svc.migration_executions set stage = $3 ${ofClaim}`, [
    id,
    take,
    stage,
  ]);
  return (rowCount ?? 0) > 0;
}

const mayWrite = `exists (select from svc.data_sources d where d.id = e.destination_data_source_id
  and d.archived_at is null and d.are_migration_writes_allowed)`;

/** Reasons to end a copy early. */
export type ClaimState = { readonly isCancelAsked: boolean; readonly mayWrite: boolean };

/** Stores the progress. Returns whether the copy must end; undefined when another process has claimed it. */
export async function setProgress(
  executor: Executor,
  { id, take }: Claim,
  { rowsRead, bytesRead, rowsRejected }: CopyProgress,
): Promise<ClaimState | undefined> {
  const { rows } = await executor.query<ClaimState>(
    `update svc.migration_executions e set rows_read = $3, bytes_read = $4, rows_rejected = $5 ${ofClaim}
      returning cancel_asked_at is not null as "isCancelAsked",
        ${mayWrite} as "mayWrite"`,
    [id, take, rowsRead, bytesRead, rowsRejected],
  );
  return rows[0];
}

/** Returns whether the copy must end; undefined when another process has claimed it. */
export async function readClaimState(
  executor: Executor,
  { id, take }: Claim,
): Promise<ClaimState | undefined> {
  const { rows } = await executor.query<ClaimState>(
    `select cancel_asked_at is not null as "isCancelAsked", ${mayWrite} as "mayWrite"
      from svc.migration_executions e ${ofClaim}`,
    [id, take],
  );
  return rows[0];
}

/** Stores the expected outcome before the commit. The stage of a trial does not change. */
export async function setOutcome(
  executor: Executor,
  { id, take, isTrial }: Claim & Pick<ExecutionRow, 'isTrial'>,
  outcome: CopyOutcome,
): Promise<boolean> {
  const { counts } = outcome;
  const { rowCount } = await executor.query(
    `update svc.migration_executions set stage = $12, rows_read = $3, bytes_read = $4, rows_rejected = $5,
        rows_inserted = $6, rows_updated = $7, rows_unchanged = $8, rows_deleted = $9, watermark = $10,
        unmasked_columns = $11 ${ofClaim}`,
    [
      id,
      take,
      outcome.rowsRead,
      outcome.bytesRead,
      outcome.rowsRejected,
      counts.inserted,
      counts.updated,
      counts.unchanged,
      counts.deleted,
      outcome.watermark,
      outcome.unmaskedColumns,
      isTrial ? 'Applying' : 'Committing',
    ],
  );
  return (rowCount ?? 0) > 0;
}

export type End = {
  readonly status: MigrationStatus;
  readonly reason: MigrationReason | null;
  readonly message: string | null;
};

/**
 * Ends an execution. A completed copy advances the job's watermark. Returns false when another process has claimed it.
 */
export async function endExecution(tx: Tx, { id, take }: Claim, end: End): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.migration_executions set status = $3, reason = $4, message = $5, finished_at = now() ${ofClaim}`,
    [id, take, end.status, end.reason, end.message],
  );
  return (rowCount ?? 0) > 0;
}
