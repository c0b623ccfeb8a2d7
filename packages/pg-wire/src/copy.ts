import type pg from 'pg';
import type { Wire } from './wire.ts';

/** As much as is in one message: the server reads each as a whole. */
const messageBytesMax = 65_536;
/** Code and length of a message. */
const messageHeadBytes = 5;
const copyDataCode = 'd'.charCodeAt(0);

type Done = (error?: Error | null) => void;

/**
 * Statements with one or more `COPY ... FROM STDIN`, as `pg` runs queries of other makers. Their data go with them: the
 * server reads on where a statement begins to, and passes over what belongs to statements that it did not come to. To
 * wait until it asks for each would wake both sides as often as there are statements.
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

  // What it asks for is on its way; the others are messages of other kinds of queries.
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

/**
 * Runs a statement with one `COPY ... FROM STDIN` on a client, which goes on after a failure of it.
 *
 * @param data what it reads. It must not change until it is over.
 */
export function copyInto(client: pg.ClientBase, text: string, data: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = new CopyIn(text, [data], 0);
    copy.callback = (error) => (error ? reject(error) : resolve());
    client.query(copy);
  });
}
