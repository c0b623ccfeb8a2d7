import type pg from 'pg';
import { createCopyFrames } from './copy-frames.ts';
import { type Wire, wireOf } from './wire.ts';

/** Rows on their way into a `COPY ... FROM STDIN`, as frames of the protocol. */
export type CopyInStream = {
  /** Undefined: more can come at once; else when it has gone out. Rejects where the statement has failed. */
  readonly write: (frames: Buffer) => Promise<void> | undefined;
  /** Ends the rows. Resolves to how many the server has taken. */
  readonly end: () => Promise<number>;
};

export type CopyOutOptions = {
  /**
   * Takes frames as they came, of which any may be cut; so many begin in these. The server sends one for each row, the
   * first with the head of a binary form, and one for the end of that. What is read waits for the promise.
   */
  readonly onFrames: (frames: Buffer, begun: number) => Promise<void> | undefined;
  readonly frameBytesMax: number;
  /** Told of a frame that is larger, before any of it is passed on; what is thrown ends the copy. */
  readonly onTooLarge: (bytes: number) => never;
};

type CommandComplete = { readonly text: string };

/** `COPY` and how many rows. */
const rowsOf = ({ text }: CommandComplete): number => Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);

const ignored = {
  handleRowDescription: () => undefined,
  handleDataRow: () => undefined,
  handlePortalSuspended: () => undefined,
  handleEmptyQuery: () => undefined,
  handleCopyData: () => undefined,
};

/** Begins a `COPY ... FROM STDIN`, for rows that come from another server's `COPY ... TO STDOUT`. */
export function openCopyIn(client: pg.ClientBase, text: string): Promise<CopyInStream> {
  return new Promise((resolve, reject) => {
    const { stream } = wireOf(client);
    const ended = Promise.withResolvers<number>();
    // Whoever writes or ends next meets the failure.
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
 * Runs a `COPY ... TO STDOUT` and hands its frames out as they come: they pass by the driver, which would make an object
 * of each. Resolves to how many rows there were, when the last have been taken. Where they are not, the connection is
 * left amid its answer and has to be cut.
 */
export function copyOut(client: pg.ClientBase, text: string, options: CopyOutOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const { stream } = wireOf(client);
    type Reader = (chunk: Buffer) => void;
    // The driver's own, and whoever else follows what comes: they see everything but the rows.
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
      // What throws here would throw in the socket's own reader.
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
