import type { Writable } from 'node:stream';
import type pg from 'pg';

/** As much as is in one message: the server reads each as a whole. */
const messageBytesMax = 65_536;
/** Code and length of a message. */
const messageHeadBytes = 5;
const copyDataCode = 'd'.charCodeAt(0);

type CopyConnection = {
  readonly stream: Pick<Writable, 'writable' | 'write' | 'cork' | 'uncork'>;
  query(text: string): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

type Done = (error?: Error | null) => void;

/**
 * Statements with one or more `COPY ... FROM STDIN`, as `pg` runs queries of other makers: each gets its data when the
 * server is ready for it.
 */
class CopyIn {
  /** Set by the pool. */
  callback: Done | undefined;
  readonly query_timeout: number;
  readonly #text: string;
  readonly #data: readonly (readonly Buffer[])[];
  #begun = 0;
  #isOver = false;

  constructor(text: string, data: readonly (readonly Buffer[])[], timeoutMs: number) {
    this.#text = text;
    this.#data = data;
    this.query_timeout = timeoutMs;
  }

  submit(connection: CopyConnection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const data = this.#data[this.#begun];
    this.#begun += 1;
    if (this.#isOver || !data) {
      connection.sendCopyFail('It was given up.');
      return;
    }
    const { stream } = connection;
    // The connection's end is told by its own events.
    if (!stream.writable) return;
    stream.cork();
    for (const message of copyMessages(data)) stream.write(message);
    connection.endCopyFrom();
    stream.uncork();
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  // Messages of other kinds of queries.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCommandComplete(): void {}

  #end(error: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.callback?.(error);
  }
}

/** The data as messages, without a copy of it: `pg` itself would make one of each piece. */
function copyMessages(data: readonly Buffer[]): Buffer[] {
  return data.flatMap((bytes) => {
    const messages: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += messageBytesMax) {
      const piece = bytes.subarray(at, at + messageBytesMax);
      const head = Buffer.allocUnsafe(messageHeadBytes);
      head[0] = copyDataCode;
      // The length counts itself, but not the code.
      head.writeInt32BE(piece.length + messageHeadBytes - 1, 1);
      messages.push(head, piece);
    }
    return messages;
  });
}

/** Whether connections of a pool take `COPY`: those that send queries before the last one is answered do not. */
export const takesCopyIn = (pool: pg.Pool): boolean =>
  !('pipeline' in pool.options && pool.options.pipeline === true);

/**
 * Runs statements with one or more `COPY ... FROM STDIN` on a connection of the pool: all of them or none. A connection
 * on which they fail is given up.
 *
 * @param data what each of them reads, in their order. It must not change until they are over; after a failure the
 *   connection may still hold it for a while.
 */
export async function copyIn(
  pool: pg.Pool,
  text: string,
  data: readonly (readonly Buffer[])[],
  timeoutMs: number,
): Promise<void> {
  // The declared types know of queries that return something only.
  const submit = pool.query as unknown as (this: pg.Pool, query: CopyIn) => Promise<unknown>;
  await submit.call(pool, new CopyIn(text, data, timeoutMs));
}
