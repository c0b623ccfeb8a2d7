import { type Batch, ConnectorError } from '@svc/connectors';
import { expect, it } from 'vitest';
import type { Masker } from '../masking/index.ts';
import { toRefusal } from '../refusal.ts';
import { refusalOf, rowsOf } from '../testing/results.ts';
import { startResult } from './result.ts';
import { createTextRepair } from './text-repair.ts';

const clear: Masker = {
  mask: (batch) => batch,
  maskedColumns: () => [],
  reasonOf: () => null,
  isWholeColumn: () => false,
  mayMask: () => false,
};
const one = (value: number): Batch => ({ rowCount: 1, columns: [[value]] });

/** Creates a result over a stream of these batches, with counters of the stream and of its slot. */
function resultOf(batches: readonly (Batch | Error)[], masker = clear) {
  const seen = { left: 0, closed: 0, ended: 0 };
  async function* stream() {
    try {
      for (const batch of batches) {
        if (batch instanceof Error) throw batch;
        yield batch;
      }
    } finally {
      seen.left += 1;
    }
  }
  const result = startResult({
    stream: {
      columns: [{ name: 'n', kind: 'integer', databaseType: 'integer' }],
      batches: stream(),
      close: async () => {
        seen.closed += 1;
      },
    },
    masker,
    text: createTextRepair(),
    monotonicMs: () => 0,
    elapsedMs: () => 1,
    leftMs: 60_000,
    pauses: undefined,
    onBatch: () => undefined,
    onEnd: () => {
      seen.ended += 1;
    },
    refuse: (error) => toRefusal(error, { engine: 'SQLite', sql: '' }),
    stepResults: () => [],
  });
  return { result, seen };
}

it('a result can be read once, to its end', async () => {
  const { result, seen } = resultOf([one(1), one(2)]);
  expect(await rowsOf(result)).toEqual([[1], [2]]);
  expect(await rowsOf(result)).toEqual([]);
  expect(await result.finished).toMatchObject({ rowCount: 2, isComplete: true, error: null });
  expect(seen).toEqual({ left: 1, closed: 0, ended: 1 });
});

it('a reader that stops early ends the stream, and the stream retains its connection', async () => {
  const { result, seen } = resultOf([one(1), one(2)]);
  for await (const batch of result.batches) {
    expect(batch.rowCount).toBe(1);
    break;
  }
  expect(await result.finished).toMatchObject({ rowCount: 1, isComplete: false, error: null });
  expect(seen).toEqual({ left: 1, closed: 0, ended: 1 });
  expect(await rowsOf(result)).toEqual([]);
});

it('a reader that takes no batch closes the stream', async () => {
  const { result, seen } = resultOf([one(1)]);
  await result.batches[Symbol.asyncIterator]().return?.();
  expect(await result.finished).toMatchObject({ rowCount: 0, isComplete: false, error: null });
  expect(seen).toEqual({ left: 0, closed: 1, ended: 1 });
});

it('a failure of the stream becomes the refusal of the result, and is reported once', async () => {
  const { result, seen } = resultOf([one(1), new ConnectorError('connection-lost', 'It is gone.')]);
  expect(await refusalOf(rowsOf(result))).toMatchObject({ code: 'connection-lost' });
  expect(await rowsOf(result)).toEqual([]);
  expect(await result.finished).toMatchObject({ isComplete: false, error: { code: 'connection-lost' } });
  expect(seen).toEqual({ left: 1, closed: 0, ended: 1 });
});

it('a failure of the masking ends the statement, returns no rows and releases the slot', async () => {
  const fails: Masker = {
    ...clear,
    mask: () => {
      throw new Error('a defect');
    },
  };
  const { result, seen } = resultOf([one(1), one(2)], fails);
  await expect(rowsOf(result)).rejects.toThrow('a defect');
  expect(seen).toEqual({ left: 1, closed: 0, ended: 1 });
  expect(await result.finished).toMatchObject({ isComplete: false, error: null });
});

it('characters that cannot be stored are replaced and counted, and do not fail the run', async () => {
  const batch: Batch = { rowCount: 3, columns: [['fine', 'a\0b', '\ud800']] };
  const { result } = resultOf([batch]);
  expect(await rowsOf(result)).toEqual([['fine'], ['a\ufffdb'], ['\ufffd']]);
  expect(await result.finished).toMatchObject({ repairedCount: 2, isComplete: true, error: null });
});
