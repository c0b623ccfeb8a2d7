import { plural } from '@svc/contract';
import { type CopyData, type CopyHooks, CopyRefusal } from '../../gateways/copy-data/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { toStorable } from '../../platform/text/index.ts';
import { copyDefinitionOf, type Opening, stagingName, stagingNames } from './copy-request.ts';
import type { EndCopy } from './ending.ts';
import * as store from './execution-store.ts';
import { findJob } from './store.ts';

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
  const begun = shares[stage] ?? 0;
  if (stage !== 'Copying' || !estimatedRows) return begun;
  return begun + ((shares.Applying ?? 1) - begun) * Math.min(1, rowsRead / estimatedRows);
}

/** Another process has claimed the copy. This process must not write to it any more. */
class TakenOver extends Error {
  override readonly name = 'TakenOver';
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
      const before = await store.findExecution(database, id);
      const taken = before && (await store.takeExecution(database, id));
      if (!taken) return;
      await store.clearRejected(database, id);
      const copy = followCopy(deps, taken, context);
      try {
        const isClean = await runTaken(deps, taken, before.stage === 'Committing', copy);
        if (isClean && taken.take === 1) await store.setClean(database, id);
      } catch (error) {
        if (error instanceof TakenOver) return;
        if (!(error instanceof CopyRefusal) || isLettingGo(context.signal)) throw error;
        const status = error.reason === 'cancelled' ? 'Cancelled' : 'Failed';
        await deps.end(taken, { status, reason: error.reason, message: toStorable(error.message) });
      } finally {
        copy.close();
      }
    },
  };
}

const isLettingGo = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof CopyRefusal);

type Followed = ReturnType<typeof followCopy>;

/**
 * Stores the progress at each interval. Aborts the copy after a cancellation or when writes to the destination are
 * disabled.
 */
function followCopy({ database }: RunnerDeps, taken: store.ExecutionRow, context: RunContext) {
  const stop = new AbortController();
  const abort = () => stop.abort(context.signal.reason);
  if (context.signal.aborted) abort();
  else context.signal.addEventListener('abort', abort, { once: true });
  let progress = { rowsRead: 0, bytesRead: 0, rowsRejected: 0 };
  let stage = 'Validating';
  let estimatedRows: number | null = null;
  const look = async (): Promise<void> => {
    const state = await store.setProgress(database, taken, progress);
    if (!state) stop.abort(new TakenOver());
    else if (state.isCancelAsked) stop.abort(new CopyRefusal('cancelled', 'The copy was cancelled.'));
    else if (!state.mayWrite) stop.abort(new CopyRefusal('writes-closed', closedMessage));
    const share = shareOf(stage, progress.rowsRead, estimatedRows);
    context.progress(
      share,
      `${stage}: ${plural(progress.rowsRead, 'row')}, ${plural(progress.bytesRead, 'byte')}`,
    );
  };
  // The next interval retries a failed check. The end of a copy is written only by its current claim.
  const timer = setInterval(() => void look().catch(() => undefined), progressIntervalMs);
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

async function runTaken(
  deps: RunnerDeps,
  taken: store.ExecutionRow,
  mayHaveCommitted: boolean,
  copy: Followed,
): Promise<boolean> {
  const { database } = deps;
  const { definition } = taken;
  const job = await findJob(database, taken.migrationJobId);
  const request = await copyDefinitionOf(database, deps, definition, job?.watermark ?? null).catch(
    (error: unknown) => {
      const said = error instanceof Error ? error.message : '';
      throw new CopyRefusal('schema-changed', `A data source of the job cannot be opened. ${said}`.trim());
    },
  );
  const { isClean, outcome } = await deps.copyData.run(
    {
      ...request,
      onRejectedRow: definition.onRejectedRow,
      rejectedRowsMax: definition.rejectedRowsMax,
      minimumSourceRows: definition.minimumSourceRows,
      deletedShareMax: definition.deletedShareMax,
      isTrial: taken.isTrial,
      stagingName: stagingName(taken, taken.take),
      earlierStagingNames: stagingNames(taken, taken.take - 1),
      mayHaveCommitted,
      timeoutMs: definition.timeoutMinutes * msPerMinute,
      signal: copy.signal,
    },
    hooksOf(deps, taken, copy),
  );
  if (taken.isTrial && outcome) {
    await store.setOutcome(database, taken, outcome);
    await deps.end(taken, { status: 'Completed', reason: null, message: null });
  }
  return isClean;
}

/** Every write of a copy requires that this process still has the claim. */
function hooksOf({ database, end }: RunnerDeps, taken: store.ExecutionRow, copy: Followed): CopyHooks {
  const held = async (isHeld: Promise<boolean>): Promise<void> => {
    if (!(await isHeld)) throw new TakenOver();
  };
  let rejected = 0;
  return {
    mayWrite: async () => {
      const state = await store.readTold(database, taken);
      if (!state) throw new TakenOver();
      return state.mayWrite;
    },
    onStage: async (stage) => {
      copy.setStage(stage);
      await held(store.setStage(database, taken, stage));
    },
    onEstimated: async (rows) => {
      copy.setEstimate(rows);
      await held(store.setEstimate(database, taken, rows));
    },
    onProgress: copy.onProgress,
    onRejected: async (rows) => {
      await store.insertRejected(database, taken.id, rejected + 1, rows);
      rejected += rows.length;
    },
    onCommitting: async (outcome) => {
      copy.setStage('Committing');
      await held(store.setOutcome(database, taken, outcome));
    },
    onCommitted: async () => {
      const after = await store.findExecution(database, taken.id);
      const isPartial = (after?.rowsRejected ?? 0) > 0;
      const status = isPartial ? 'PartialSuccess' : 'Completed';
      await held(end(taken, { status, reason: null, message: null }));
    },
  };
}
