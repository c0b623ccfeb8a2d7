import { BinaryWriter, copyHeader, copyTrailer } from './binary-writer.ts';
import { allColumns, type DecodedCall, decodeCall, summaryColumns } from './call-columns.ts';
import { writeCall } from './call-rows.ts';
import type { EndpointCall } from './endpoint-calls.ts';

/**
 * Batch of consecutive encoded rows, stored by one statement. Encoded rows need little memory and cause no work for the
 * garbage collector. The memory can be reused after `clear`.
 */
export class CallBatch {
  readonly #writer: BinaryWriter;
  /** Start offsets of the rows. Only the first `addedCount` entries are valid. */
  readonly #starts: number[] = [];
  #first = 0;
  #hasDetail = false;
  /** Number of rows added since the last `clear`. */
  addedCount = 0;

  /** @param bytesExpected memory allocated initially, in bytes. It grows as needed. */
  constructor(bytesExpected: number) {
    this.#writer = new BinaryWriter(bytesExpected);
  }

  /** True when the rows include the detail columns. The first row decides for all rows. */
  get hasDetail(): boolean {
    return this.#hasDetail;
  }

  /** Returns true when the batch has columns for all values of the call. */
  takes({ detail }: EndpointCall): boolean {
    return detail === null || this.#hasDetail || this.addedCount === 0;
  }

  /** Adds a row for which `takes` returned true. */
  add(call: EndpointCall): void {
    const writer = this.#writer;
    if (this.addedCount === 0) this.#hasDetail = call.detail !== null;
    this.#starts[this.addedCount] = writer.at;
    this.addedCount += 1;
    writeCall(writer, call, this.#hasDetail);
  }

  get count(): number {
    return this.addedCount - this.#first;
  }

  /** Allocated memory in bytes. */
  get size(): number {
    return this.#writer.bytes.length;
  }

  /** Removes all rows but retains the memory. */
  clear(): void {
    this.#writer.at = 0;
    this.#first = 0;
    this.addedCount = 0;
  }

  dropFirst(): void {
    this.#first += 1;
  }

  /** Encoded rows. */
  get bytes(): Buffer {
    const start = this.count > 0 ? (this.#starts[this.#first] ?? 0) : this.#writer.at;
    return this.#writer.bytes.subarray(start, this.#writer.at);
  }

  /** Yields the rows one by one, decoded. */
  *decoded(): Generator<DecodedCall> {
    for (let at = this.#first; at < this.addedCount; at += 1) {
      yield decodeCall(this.#writer.bytes, this.#starts[at] ?? 0);
    }
  }
}

/**
 * Returns the statements that store the batches in one transaction, with the data of `copyData`. The commit does not
 * wait for the disk. A crash of the database server may lose the rows of its last 0.6 s (three times
 * `wal_writer_delay`).
 */
export function copyCallsText(schema: string, batches: readonly CallBatch[]): string {
  const copies = batches.map((batch) => {
    const names = (batch.hasDetail ? allColumns : summaryColumns).map(([column]) => column);
    return `copy ${schema}.endpoint_call_log (${names.join(', ')}) from stdin (format binary)`;
  });
  return ['set local synchronous_commit = off', ...copies].join('; ');
}

/** Returns the input of `COPY`: header, rows and trailer. */
export const copyData = ({ bytes }: CallBatch): Buffer[] => [copyHeader, bytes, copyTrailer];
