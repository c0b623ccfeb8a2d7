import type { Batch, ResultStream } from '@svc/connectors';
import type { Masker } from './masking/index.ts';
import type { RunSqlRefusal, StepResult } from './refusal.ts';
import type { RunColumn, RunFinished, RunResult } from './request.ts';
import { maskedColumns } from './result-columns.ts';

/** After the time limit a stream that nobody walks is closed, so that it does not hold its slots. */
const graceMs = 1_000;

export type ResultSource = {
  readonly stream: ResultStream;
  readonly elapsedMs: () => number;
  readonly leftMs: number;
  readonly masker: Masker;
  /** Told of each batch as it leaves, masked. */
  readonly onBatch: (batch: Batch, columns: readonly RunColumn[]) => void;
  /** Runs exactly once, however the walk ends; null after success and when the caller stopped early. */
  readonly onEnd: (error: RunSqlRefusal | null) => void;
  /** What a failure during the walk is told as. */
  readonly refuse: (error: unknown) => RunSqlRefusal;
  readonly stepResults: () => readonly StepResult[];
};

/** Hands a stream on: counts, and tells how it ended exactly once. */
export function startResult(source: ResultSource): RunResult {
  const columns = maskedColumns(source.stream.columns, source.masker);
  let rowCount = 0;
  let isEnded = false;
  let settle: (finished: RunFinished) => void = () => undefined;
  const finished = new Promise<RunFinished>((resolve) => {
    settle = resolve;
  });
  const timer = setTimeout(() => void close(), source.leftMs + graceMs);

  function end(error: RunSqlRefusal | null, isComplete: boolean): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    source.onEnd(error);
    settle({
      rowCount,
      executionTimeMs: source.elapsedMs(),
      timedOut: error?.code === 'timed-out',
      stepResults: source.stepResults(),
      maskedColumns: source.masker.maskedColumns().flatMap((index) => columns[index]?.name ?? []),
      error,
      isComplete,
    });
  }

  async function* walk(): AsyncGenerator<Batch, void, undefined> {
    try {
      for await (const batch of source.stream.batches) {
        rowCount += batch.rowCount;
        const masked = source.masker.mask(batch);
        source.onBatch(masked, columns);
        yield masked;
      }
      end(null, true);
    } catch (error) {
      const refusal = source.refuse(error);
      end(refusal, false);
      throw refusal;
    } finally {
      end(null, false);
    }
  }

  async function close(): Promise<void> {
    await source.stream.close();
    end(null, false);
  }

  return { columns, batches: walk(), finished, close };
}
