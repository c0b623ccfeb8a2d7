import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { ExecuteOptions } from '../../port.ts';
import { createRowQueue } from '../../row-queue.ts';
import type { Cell } from '../../values.ts';
import type { TdsColumn } from './columns.ts';
import { createResultReader } from './result-reader.ts';

export type AnswerLimits = Pick<ExecuteOptions, 'maxBytes' | 'maxCellBytes' | 'decimalsAsText'>;

/** Answer to one request. Its columns and rows are extracted from the server's bytes; the driver reads the rest. */
export type Answer = {
  /** Resolves when the columns are known; undefined for an answer without columns. */
  readonly columns: Promise<readonly TdsColumn[] | undefined>;
  /** Returns the next rows; undefined after the last. */
  readonly take: () => Promise<readonly (readonly Cell[])[] | undefined>;
  /** Yields the part of the message that the driver must read. */
  readonly passOn: (message: AsyncIterable<Buffer>) => AsyncGenerator<Buffer, void, undefined>;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  /** Skips the rest of the answer. */
  readonly discard: () => void;
};

export function createAnswer(limits: AnswerLimits): Answer {
  const reader = createResultReader(limits);
  const columns = Promise.withResolvers<readonly TdsColumn[] | undefined>();
  columns.promise.catch(() => undefined);
  let receivedBytes = 0;
  let isDiscarded = false;
  let room: PromiseWithResolvers<void> | undefined;
  const queue = createRowQueue({
    pause: () => {
      room ??= Promise.withResolvers();
    },
    resume: () => {
      room?.resolve();
      room = undefined;
    },
    receivedBytes: () => receivedBytes,
  });

  function fail(error: unknown): void {
    columns.reject(error);
    queue.fail(error);
  }

  function discard(): void {
    isDiscarded = true;
    room?.resolve();
  }

  function read(piece: Buffer): Buffer {
    receivedBytes += piece.length;
    if (receivedBytes > limits.maxBytes)
      throw new ConnectorError(
        'too-many-bytes',
        `The result has more than ${plural(limits.maxBytes, 'byte')}.`,
      );
    const part = reader.read(piece);
    if (part.columns) columns.resolve(part.columns);
    for (const row of part.rows) queue.push(row);
    return part.others;
  }

  async function* passOn(message: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const piece of message) {
        if (isDiscarded) continue;
        const others = read(piece);
        if (others.length > 0) yield others;
        await room?.promise;
      }
      if (!isDiscarded) reader.end();
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  return {
    columns: columns.promise,
    take: async () => (await queue.take()) as readonly (readonly Cell[])[] | undefined,
    passOn,
    end: () => {
      columns.resolve(undefined);
      queue.end();
    },
    fail,
    discard,
  };
}
