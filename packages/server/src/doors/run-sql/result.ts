import { type Batch, pauseMaxMs, type ReaderPauses, type ResultStream } from '@svc/connectors';
import { createCellForms } from './cell-forms.ts';
import type { Fingerprinter } from './fingerprints.ts';
import { type Masker, reasonText } from './masking/index.ts';
import { RunSqlRefusal, type StepResult } from './refusal.ts';
import type { RunBatch, RunColumn, RunFinished, RunResult } from './request.ts';
import { maskedColumns } from './result-columns.ts';
import type { TextRepair } from './text-repair.ts';

/** After the time limit a stream that nobody walks is closed, so that it does not hold its slots. */
const graceMs = 1_000;

export type ResultSource = {
  readonly stream: ResultStream;
  readonly elapsedMs: () => number;
  readonly monotonicMs: () => number;
  readonly leftMs: number;
  /** Absent: the time that the reader takes counts. */
  readonly pauses?: ReaderPauses | undefined;
  readonly masker: Masker;
  /** Of the whole run, whose count it holds. */
  readonly text: TextRepair;
  /** Of the columns as they are handed out; absent where nobody asks for fingerprints. */
  readonly fingerprinterOf?: ((columns: readonly RunColumn[]) => Fingerprinter) | undefined;
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

  /** Closes a stream whose reader has taken nothing for too long. */
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
      // The statement has a deadline of its own: this timer is for readers alone.
      if (source.pauses) clearTimeout(timer);
      source.pauses?.resume();
    },
    pause: () => {
      if (!source.pauses || isEnded) return;
      source.pauses.pause();
      timer = setTimeout(expire, pauseMaxMs);
    },
    complete: () => {
      // A stream that was closed meanwhile may end as a complete one does.
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
  /** The reader asks for a batch. */
  readonly begin: () => void;
  /** The reader has a batch, and asks for none. */
  readonly pause: () => void;
  /** Throws when the stream was closed before its end. */
  readonly complete: () => void;
  /** Told why it ends. @returns what is thrown instead. */
  readonly fail: (error: unknown) => Error;
  /** Whoever walks it takes no more. */
  readonly leave: () => void;
  /** The same before anything was taken. */
  readonly close: () => Promise<void>;
};

const ended = { done: true, value: undefined } as const;

/**
 * Walks the batches of a stream, as an async generator would that takes them by `for await`. It is none: a generator
 * function that is made anew for each run has a hidden class of its own, in old memory, that leads to everything the run
 * has made, and only a full collection would take that.
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
        // It may be the masking that has failed, while the statement goes on.
        await inner.return?.().catch(() => undefined);
        try {
          throw fail(error);
        } finally {
          // A defect is told as it is.
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
