import { type Batch, createReaderPauses, pauseMaxMs, type ResultStream } from '@svc/connectors';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMasker } from '../masking/index.ts';
import { toRefusal } from '../refusal.ts';
import { startResult } from './result.ts';
import { createTextRepair } from './text-repair.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Creates a result of empty batches, with the pauses of its reader. */
function slowRead(batchCount: number) {
  const pauses = createReaderPauses();
  let isClosed = false;
  const batch: Batch = { rowCount: 0, columns: [] };
  const stream: ResultStream = {
    columns: [],
    batches: (async function* () {
      // A closed stream ends like a complete one.
      for (let at = 0; at < batchCount && !isClosed; at += 1) yield batch;
    })(),
    close: async () => {
      isClosed = true;
    },
  };
  const clock = () => performance.now();
  const result = startResult({
    stream,
    pauses,
    leftMs: 1_000,
    elapsedMs: clock,
    monotonicMs: clock,
    text: createTextRepair(),
    masker: createMasker({
      rules: { isEnabled: false, patterns: [] } as never,
      sql: '',
      dialect: {} as never,
      columns: [],
    }),
    onBatch: () => undefined,
    onEnd: () => undefined,
    refuse: (error) => toRefusal(error, { engine: 'SQLite', sql: '' }),
    stepResults: () => [],
  });
  return { result, pauses, iterator: result.batches[Symbol.asyncIterator]() };
}

test('the time between two batches is a pause of the reader, and a slow reader receives the complete result', async () => {
  const { result, pauses, iterator } = slowRead(3);
  for (let at = 0; at < 3; at += 1) {
    expect((await iterator.next()).done).toBe(false);
    vi.advanceTimersByTime(pauseMaxMs - 1);
  }
  expect((await iterator.next()).done).toBe(true);
  expect([(await result.finished).isComplete, pauses.totalMs()]).toEqual([true, 3 * (pauseMaxMs - 1)]);
});

test('a reader that pauses for too long receives an error, never the end of the result', async () => {
  const { result, iterator } = slowRead(3);
  await iterator.next();
  vi.advanceTimersByTime(pauseMaxMs);
  expect(await result.finished).toMatchObject({ isComplete: false, error: { code: 'timed-out' } });
  await expect(iterator.next()).rejects.toMatchObject({ code: 'timed-out' });
});
