import { type Batch, pauseMaxMs, type ReaderPauses, type ResultStream } from '@svc/connectors';
import { type Masker, reasonText } from '../masking/index.ts';
import { RunSqlRefusal, type StepResult } from '../refusal.ts';
import type { RunBatch, RunColumn, RunFinished, RunResult } from '../request.ts';
import { createCellForms } from './cell-forms.ts';
import type { Fingerprinter } from './fingerprints.ts';
import { maskedColumns } from './result-columns.ts';
import type { TextRepair } from './text-repair.ts';

/** Grace period after the time limit. Then a stream without a reader is closed, to release its slots. */
const graceMs = 1_000;

export type ResultSource = {
  readonly stream: ResultStream;
  readonly elapsedMs: () => number;
  readonly monotonicMs: () => number;
  readonly leftMs: number;
  /** Absent: the reader's time counts against the time limit. */
  readonly pauses?: ReaderPauses | undefined;
  readonly masker: Masker;
  /** Shared by the whole run, with its count of repairs. */
  readonly text: TextRepair;
  /** Creates the fingerprinter for the result columns. Absent if no fingerprints are requested. */
  readonly fingerprinterOf?: ((columns: readonly RunColumn[]) => Fingerprinter) | undefined;
  /** Called with each masked batch before the caller gets it. */
  readonly onBatch: (batch: Batch, columns: readonly RunColumn[]) => void;
  /** Called exactly once at the end of the iteration. Null after success, and if the caller stopped early. */
  readonly onEnd: (error: RunSqlRefusal | null) => void;
  /** Converts a failure during the iteration into a refusal. */
  readonly refuse: (error: unknown) => RunSqlRefusal;
  readonly stepResults: () => readonly StepResult[];
};

/** Returns a stream as a result: counts and masks its rows, and reports its end exactly once. */
export function startResult(source: ResultSource): RunResult {
  const { text } = source;
  const columns = maskedColumns(text.columns(source.stream.columns), source.masker);
  const fingerprinter = source.fingerprinterOf?.(columns);
  const forms = createCellForms(source.stream.columns);
  let rowCount = 0;
  let maskingMs = 0;
  let isEnded = false;
  let settle: (finished: RunFinished) => void = () => undefined;
  const finished = new Promise<RunFinished>((resolve) => {
    settle = resolve;
  });
  let timer = setTimeout(expire, source.leftMs + graceMs);

  function end(error: RunSqlRefusal | null, isComplete: boolean): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    source.onEnd(error);
    const masked = source.masker.maskedColumns();
    const reasons = masked.flatMap((index) => {
      const reason = source.masker.reasonOf(index);
      return reason ? [[columns[index]?.name ?? '', reasonText(reason)] as const] : [];
    });
    settle({
      rowCount,
      executionTimeMs: source.elapsedMs(),
      maskingMs: Math.round(maskingMs),
      timedOut: error?.code === 'timed-out',
      stepResults: source.stepResults(),
      maskedColumns: masked.flatMap((index) => columns[index]?.name ?? []),
      maskingReasons: new Map(reasons),
      repairedCount: text.repairedCount(),
      error,
      isComplete,
    });
  }

  async function close(): Promise<void> {
    await source.stream.close();
    end(null, false);
  }

  /** Closes a stream whose reader has taken no rows for too long. */
  function expire(): void {
    const idle = new RunSqlRefusal('timed-out', 'The reader of the result took no rows for too long.');
    end(source.refuse(idle), false);
    void source.stream.close();
  }

  const batches = walkOf(source.stream, {
    take: (batch) => {
      rowCount += batch.rowCount;
      const repaired = text.repair(batch);
      const beganMs = source.monotonicMs();
      const cells = source.masker.mask(repaired);
      maskingMs += source.monotonicMs() - beganMs;
      const masked = forms.leaving(cells);
      source.onBatch(masked, columns);
      if (!fingerprinter || fingerprinter.missingColumns.length > 0) return masked;
      return { ...masked, fingerprints: fingerprinter.of(forms.fingerprinted(repaired)) };
    },
    begin: () => {
      // The statement has its own deadline. This timer only limits the reader.
      if (source.pauses) clearTimeout(timer);
      source.pauses?.resume();
    },
    pause: () => {
      if (!source.pauses || isEnded) return;
      source.pauses.pause();
      timer = setTimeout(expire, pauseMaxMs);
    },
    complete: () => {
      // A closed stream may end without an error, like a complete one.
      if (isEnded) throw new RunSqlRefusal('timed-out', 'The result was closed before its end.');
      end(null, true);
    },
    fail: (error) => {
      const refusal = source.refuse(error);
      end(refusal, false);
      return refusal;
    },
    leave: () => end(null, false),
    close,
  });
  return { columns, batches, finished, close, missingColumns: fingerprinter?.missingColumns ?? [] };
}

type WalkEvents = {
  readonly take: (batch: Batch) => RunBatch;
  /** The reader requests a batch. */
  readonly begin: () => void;
  /** The reader has received a batch and has not requested another. */
  readonly pause: () => void;
  /** Throws if the stream was closed before its end. */
  readonly complete: () => void;
  /** Receives the error of the stream. @returns the error to throw instead. */
  readonly fail: (error: unknown) => Error;
  /** The reader takes no more rows. */
  readonly leave: () => void;
  /** The reader has ended the iteration before its first batch. */
  readonly close: () => Promise<void>;
};

const ended = { done: true, value: undefined } as const;

/**
 * Iterates over the batches of a stream like an async generator with `for await`. A generator function that is created for
 * each run would have a hidden class in old memory that references all objects of the run. Only a full collection would
 * free them.
 */
function walkOf(stream: ResultStream, events: WalkEvents): AsyncIterable<RunBatch> {
  const { take, begin, pause, complete, fail, leave, close } = events;
  let inner: AsyncIterator<Batch> | undefined;
  let isOver = false;
  const iterator: AsyncIterableIterator<RunBatch, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      if (isOver) return ended;
      inner ??= stream.batches[Symbol.asyncIterator]();
      begin();
      try {
        const step = await inner.next();
        if (!step.done) {
          const value = take(step.value);
          pause();
          return { done: false, value };
        }
        isOver = true;
        complete();
        return ended;
      } catch (error) {
        isOver = true;
        // The error may come from masking, while the statement is still running.
        await inner.return?.().catch(() => undefined);
        try {
          throw fail(error);
        } finally {
          // Ends the result if `fail` throws: a defect is rethrown unchanged.
          leave();
        }
      }
    },
    return: async () => {
      isOver = true;
      if (!inner) await close();
      try {
        await inner?.return?.();
      } finally {
        leave();
      }
      return ended;
    },
  };
  return iterator;
}
