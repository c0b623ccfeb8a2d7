import { plural } from '@svc/contract';
import { type CopyData, type CopyHooks, CopyRefusal } from '../../../gateways/copy-data/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { toStorable } from '../../../platform/text/index.ts';
import { copyDefinitionOf, type Opening, stagingName, stagingNames } from '../copy-request.ts';
import { findJob } from '../store.ts';
import {
  claimExecution,
  readClaimState,
  setEstimate,
  setOutcome,
  setProgress,
  setStage,
} from './claim-store.ts';
import type { EndCopy } from './ending.ts';
import { clearRejected, insertRejected } from './rejected-row-store.ts';
import { type ExecutionRow, findExecution, setClean } from './store.ts';

export type RunContext = {
  /** An abort with a `CopyRefusal` ends the copy. Any other reason only releases it to another process. */
  readonly signal: AbortSignal;
  readonly progress: (share: number, text: string) => void;
};

export type RunnerDeps = Opening & {
  readonly database: Database;
  readonly copyData: CopyData;
  readonly end: EndCopy;
};

const progressIntervalMs = 1_000;
const msPerMinute = 60_000;
/** Overall progress at the start of each stage, from 0 to 1. */
const shares: Readonly<Record<string, number>> = {
  Validating: 0,
  Copying: 0.1,
  Applying: 0.8,
  Committing: 0.95,
};

/** Returns the overall progress. During copying, it grows with the rows read when an estimate exists. */
function shareOf(stage: string, rowsRead: number, estimatedRows: number | null): number {
  const startShare = shares[stage] ?? 0;
  if (stage !== 'Copying' || !estimatedRows) return startShare;
  return startShare + ((shares.Applying ?? 1) - startShare) * Math.min(1, rowsRead / estimatedRows);
}

/** Ends this process's work on a copy that another process has claimed. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** Creates the runner that claims executions, copies rows and stores the outcome. */
export function createRunner(deps: RunnerDeps) {
  const { database } = deps;
  return {
    /**
     * Runs an execution to its end. Rejects when the process must release it or cannot determine the outcome yet. The
     * caller then calls again.
     */
    execute: async (id: number, context: RunContext): Promise<void> => {
      const before = await findExecution(database, id);
      const execution = before && (await claimExecution(database, id));
      if (!execution) return;
      await clearRejected(database, id);
      const copy = followCopy(deps, execution, context);
      try {
        const isClean = await runClaimed(deps, execution, before.stage === 'Committing', copy);
        if (isClean && execution.take === 1) await setClean(database, id);
      } catch (error) {
        if (error instanceof ClaimLost) return;
        if (!(error instanceof CopyRefusal) || isRelease(context.signal)) throw error;
        const status = error.reason === 'cancelled' ? 'Cancelled' : 'Failed';
        await deps.end(execution, { status, reason: error.reason, message: toStorable(error.message) });
      } finally {
        copy.close();
      }
    },
  };
}

const isRelease = ({ aborted, reason }: AbortSignal): boolean => aborted && !(reason instanceof CopyRefusal);

type FollowedCopy = ReturnType<typeof followCopy>;

/**
 * Stores the progress at each interval. Aborts the copy after a cancellation or when writes to the destination are
 * disabled.
 */
function followCopy({ database }: RunnerDeps, execution: ExecutionRow, context: RunContext) {
  const stop = new AbortController();
  const abort = () => stop.abort(context.signal.reason);
  if (context.signal.aborted) abort();
  else context.signal.addEventListener('abort', abort, { once: true });
  let progress = { rowsRead: 0, bytesRead: 0, rowsRejected: 0 };
  let stage = 'Validating';
  let estimatedRows: number | null = null;
  const check = async (): Promise<void> => {
    const state = await setProgress(database, execution, progress);
    if (!state) stop.abort(new ClaimLost());
    else if (state.isCancelAsked) stop.abort(new CopyRefusal('cancelled', 'The copy was cancelled.'));
    else if (!state.mayWrite) stop.abort(new CopyRefusal('writes-closed', closedMessage));
    const share = shareOf(stage, progress.rowsRead, estimatedRows);
    context.progress(
      share,
      `${stage}: ${plural(progress.rowsRead, 'row')}, ${plural(progress.bytesRead, 'byte')}`,
    );
  };
  // The next interval retries a failed check. The end of a copy is written only by its current claim.
  const timer = setInterval(() => void check().catch(() => undefined), progressIntervalMs);
  return {
    signal: stop.signal,
    onProgress: (next: typeof progress) => {
      progress = next;
    },
    setStage: (next: string) => {
      stage = next;
    },
    setEstimate: (rows: number) => {
      estimatedRows = rows;
    },
    close: () => {
      clearInterval(timer);
      context.signal.removeEventListener('abort', abort);
    },
  };
}

const closedMessage = 'The destination is closed to writes of data migration.';

async function runClaimed(
  deps: RunnerDeps,
  execution: ExecutionRow,
  mayHaveCommitted: boolean,
  copy: FollowedCopy,
): Promise<boolean> {
  const { database } = deps;
  const { definition } = execution;
  const job = await findJob(database, execution.migrationJobId);
  const request = await copyDefinitionOf(database, deps, definition, job?.watermark ?? null).catch(
    (error: unknown) => {
      const detail = error instanceof Error ? error.message : '';
      throw new CopyRefusal('schema-changed', `A data source of the job cannot be opened. ${detail}`.trim());
    },
  );
  const { isClean, outcome } = await deps.copyData.run(
    {
      ...request,
      onRejectedRow: definition.onRejectedRow,
      rejectedRowsMax: definition.rejectedRowsMax,
      minimumSourceRows: definition.minimumSourceRows,
      deletedShareMax: definition.deletedShareMax,
      isTrial: execution.isTrial,
      stagingName: stagingName(execution, execution.take),
      earlierStagingNames: stagingNames(execution, execution.take - 1),
      mayHaveCommitted,
      timeoutMs: definition.timeoutMinutes * msPerMinute,
      signal: copy.signal,
    },
    hooksOf(deps, execution, copy),
  );
  if (execution.isTrial && outcome) {
    await setOutcome(database, execution, outcome);
    await deps.end(execution, { status: 'Completed', reason: null, message: null });
  }
  return isClean;
}

/** Every write of a copy requires that this process still has the claim. */
function hooksOf({ database, end }: RunnerDeps, execution: ExecutionRow, copy: FollowedCopy): CopyHooks {
  const requireClaim = async (isClaimed: Promise<boolean>): Promise<void> => {
    if (!(await isClaimed)) throw new ClaimLost();
  };
  let rejected = 0;
  return {
    mayWrite: async () => {
      const state = await readClaimState(database, execution);
      if (!state) throw new ClaimLost();
      return state.mayWrite;
    },
    onStage: async (stage) => {
      copy.setStage(stage);
      await requireClaim(setStage(database, execution, stage));
    },
    onEstimated: async (rows) => {
      copy.setEstimate(rows);
      await requireClaim(setEstimate(database, execution, rows));
    },
    onProgress: copy.onProgress,
    onRejected: async (rows) => {
      await insertRejected(database, execution.id, rejected + 1, rows);
      rejected += rows.length;
    },
    onCommitting: async (outcome) => {
      copy.setStage('Committing');
      await requireClaim(setOutcome(database, execution, outcome));
    },
    onCommitted: async () => {
      const after = await findExecution(database, execution.id);
      const isPartial = (after?.rowsRejected ?? 0) > 0;
      const status = isPartial ? 'PartialSuccess' : 'Completed';
      await requireClaim(end(execution, { status, reason: null, message: null }));
    },
  };
}
