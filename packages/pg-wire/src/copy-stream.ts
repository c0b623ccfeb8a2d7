import type pg from 'pg';
import { createCopyFrames } from './copy-frames.ts';
import { type Wire, wireOf } from './wire.ts';

/** Input of a `COPY ... FROM STDIN`: rows as frames of the protocol. */
export type CopyInStream = {
  /**
   * Sends frames. Returns undefined when more frames can be sent immediately, else a promise of that. The promise
   * rejects if the statement has failed.
   */
  readonly write: (frames: Buffer) => Promise<void> | undefined;
  /** Ends the input. Resolves to the number of rows that the server has stored. */
  readonly end: () => Promise<number>;
};

export type CopyOutOptions = {
  /**
   * Receives frames unchanged, any of which may be cut, and the number of frames that begin in these bytes. The server
   * sends one frame per row. In binary form the first one also contains the header, and a last one contains the
   * trailer. A returned promise pauses the input.
   */
  readonly onFrames: (frames: Buffer, begun: number) => Promise<void> | undefined;
  readonly frameBytesMax: number;
  /** Called for a larger frame before any of its bytes is passed on. Its error ends the copy. */
  readonly onTooLarge: (bytes: number) => never;
};

type CommandComplete = { readonly text: string };

/** Returns the number of rows of a `COPY` completion. */
const rowsOf = ({ text }: CommandComplete): number => Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);

const ignored = {
  handleRowDescription: () => undefined,
  handleDataRow: () => undefined,
  handlePortalSuspended: () => undefined,
  handleEmptyQuery: () => undefined,
  handleCopyData: () => undefined,
};

/** Begins a `COPY ... FROM STDIN`, for rows from another server's `COPY ... TO STDOUT`. */
export function openCopyIn(client: pg.ClientBase, text: string): Promise<CopyInStream> {
  return new Promise((resolve, reject) => {
    const { stream } = wireOf(client);
    const ended = Promise.withResolvers<number>();
    // Prevents an unhandled rejection. The next `write` or `end` reports the failure.
    ended.promise.catch(() => undefined);
    let failure: unknown;
    let rows = 0;
    const waiting: (() => void)[] = [];
    const onDrain = () => {
      for (const goOn of waiting.splice(0)) goOn();
    };
    const over = () => {
      stream.off('drain', onDrain);
      onDrain();
    };
    client.query({
      ...ignored,
      submit: (connection: unknown) => (connection as Wire).query(text),
      handleCopyInResponse(wire: Wire) {
        stream.on('drain', onDrain);
        resolve({
          write: (frames) => {
            if (failure !== undefined) return Promise.reject(failure);
            if (stream.write(frames)) return undefined;
            return new Promise<void>((sent, failed) => {
              waiting.push(() => (failure === undefined ? sent() : failed(failure)));
            });
          },
          end: () => {
            if (failure === undefined) wire.endCopyFrom();
            return ended.promise;
          },
        });
      },
      handleCommandComplete: (message: CommandComplete) => {
        rows = rowsOf(message);
      },
      handleError: (error: unknown) => {
        failure = error;
        over();
        ended.reject(error);
        reject(error);
      },
      handleReadyForQuery: () => {
        over();
        ended.resolve(rows);
        reject(new Error('The statement takes no rows.'));
      },
    });
  });
}

/**
 * Runs a `COPY ... TO STDOUT` and passes its frames on as they arrive. They bypass the driver, which would create an
 * object for each. Resolves to the number of rows after the last frames were accepted. If frames are not accepted, the
 * connection remains in the middle of the response and must be destroyed.
 */
export function copyOut(client: pg.ClientBase, text: string, options: CopyOutOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const { stream } = wireOf(client);
    type Reader = (chunk: Buffer) => void;
    // Readers of the driver and of other listeners. They receive everything except rows.
    const readers = stream.rawListeners('data') as Reader[];
    let taken: Promise<void> = Promise.resolve();
    let rows = 0;
    const frames = createCopyFrames({
      ...options,
      onRows: (bytes, begun) => {
        const waiting = options.onFrames(bytes, begun);
        if (!waiting) return;
        stream.pause();
        taken = taken.then(() => waiting);
        taken.then(() => stream.resume(), reject);
      },
      onOther: (bytes) => {
        for (const read of readers) read.call(stream, bytes);
      },
    });
    const see = (chunk: Buffer) => {
      // An error here would be thrown in the socket's own reader.
      try {
        frames(chunk);
      } catch (error) {
        stream.pause();
        reject(error);
      }
    };
    const giveBack = () => {
      if (!stream.listeners('data').includes(see)) return;
      for (const read of readers) stream.on('data', read);
      stream.off('data', see);
    };
    client.query({
      ...ignored,
      submit(connection: unknown) {
        stream.on('data', see);
        for (const read of readers) stream.off('data', read);
        (connection as Wire).query(text);
      },
      handleCopyInResponse: (wire: Wire) => wire.sendCopyFail('Nothing is sent.'),
      handleCommandComplete: (message: CommandComplete) => {
        rows = rowsOf(message);
      },
      handleError: (error: unknown) => {
        giveBack();
        reject(error);
      },
      handleReadyForQuery: () => {
        giveBack();
        resolve(taken.then(() => rows));
      },
    });
  });
}
