import type pg from 'pg';

/** As much as is handed to the connection at a time: `pg` copies each piece into a buffer that it keeps. */
const chunkBytes = 65_536;

type CopyConnection = {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

type Done = (error?: Error | null) => void;

/** A `COPY ... FROM STDIN` as `pg` runs queries of other makers: it sends the data when the server is ready for it. */
class CopyIn {
  /** Set by the pool. */
  callback: Done | undefined;
  readonly query_timeout: number;
  readonly #text: string;
  readonly #data: readonly Buffer[];
  #isOver = false;

  constructor(text: string, data: readonly Buffer[], timeoutMs: number) {
    this.#text = text;
    this.#data = data;
    this.query_timeout = timeoutMs;
  }

  submit(connection: CopyConnection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    if (this.#isOver) {
      connection.sendCopyFail('It was given up.');
      return;
    }
    for (const bytes of this.#data) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        connection.sendCopyFromChunk(bytes.subarray(at, at + chunkBytes));
      }
    }
    connection.endCopyFrom();
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

/** Whether connections of a pool take `COPY`: those that send queries before the last one is answered do not. */
export const takesCopyIn = (pool: pg.Pool): boolean =>
  !('pipeline' in pool.options && pool.options.pipeline === true);

/** Runs a `COPY ... FROM STDIN` on a connection of the pool. A connection on which it fails is given up. */
export async function copyIn(
  pool: pg.Pool,
  text: string,
  data: readonly Buffer[],
  timeoutMs: number,
): Promise<void> {
  // The declared types know of queries that return something only.
  const submit = pool.query as unknown as (this: pg.Pool, query: CopyIn) => Promise<unknown>;
  await submit.call(pool, new CopyIn(text, data, timeoutMs));
}
