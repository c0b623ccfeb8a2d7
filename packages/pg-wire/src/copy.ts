import type pg from 'pg';
import type { Wire } from './wire.ts';

/** Maximum size of one message. The server reads each message completely before it processes it. */
const messageBytesMax = 65_536;
/** Size of the code and the length field of a message. */
const messageHeadBytes = 5;
const copyDataCode = 'd'.charCodeAt(0);

type Done = (error?: Error | null) => void;

/**
 * Query object with one or more `COPY ... FROM STDIN` statements for `pg`. Their data are sent together with them. The
 * server reads the data when each statement begins, and skips the data of statements that it does not reach. Waiting
 * for each statement's request would wake both sides once per statement.
 */
class CopyIn {
  /** Set by the pool. */
  callback: Done | undefined;
  query_timeout: number;
  readonly #text: string;
  readonly #data: readonly (readonly Buffer[])[];
  #isOver = false;

  constructor(text: string, data: readonly (readonly Buffer[])[], timeoutMs: number) {
    this.#text = text;
    this.#data = data;
    this.query_timeout = timeoutMs;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    const { stream } = wire;
    stream.cork();
    wire.query(this.#text);
    for (const data of this.#data) {
      for (const message of copyMessages(data)) stream.write(message);
      wire.endCopyFrom();
    }
    stream.uncork();
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  // The requested data were sent already. The other handlers belong to other kinds of queries.
  handleCopyInResponse(): void {}
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

/** Returns the data as messages, without a copy. `pg` itself would copy each part. */
function copyMessages(data: readonly Buffer[]): Buffer[] {
  return data.flatMap((bytes) => {
    const messages: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += messageBytesMax) {
      const piece = bytes.subarray(at, at + messageBytesMax);
      const head = Buffer.allocUnsafe(messageHeadBytes);
      head[0] = copyDataCode;
      // The length includes itself, but not the code.
      head.writeInt32BE(piece.length + messageHeadBytes - 1, 1);
      messages.push(head, piece);
    }
    return messages;
  });
}

/**
 * Returns true when connections of a pool support `COPY`. Pipelined connections, which send queries before the previous
 * response, do not.
 */
export const takesCopyIn = (pool: pg.Pool): boolean =>
  !('pipeline' in pool.options && pool.options.pipeline === true);

/**
 * Runs statements with one or more `COPY ... FROM STDIN` on a connection of the pool, atomically. A connection on which
 * they fail is removed from the pool.
 *
 * @param data input of each statement, in their order. The caller must not change it before the promise settles. After
 *   a failure the connection may reference it for some time.
 */
export async function copyIn(
  pool: pg.Pool,
  text: string,
  data: readonly (readonly Buffer[])[],
  timeoutMs: number,
): Promise<void> {
  // The declared types allow only queries that return a value.
  const submit = pool.query as unknown as (this: pg.Pool, query: CopyIn) => Promise<unknown>;
  await submit.call(pool, new CopyIn(text, data, timeoutMs));
}

/**
 * Runs a statement with one `COPY ... FROM STDIN` on a client, which remains usable after a failure.
 *
 * @param data input of the statement. The caller must not change it before the promise settles.
 */
export function copyInto(client: pg.ClientBase, text: string, data: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = new CopyIn(text, [data], 0);
    copy.callback = (error) => (error ? reject(error) : resolve());
    client.query(copy);
  });
}
