import { BinaryWriter, copyHeader, copyTrailer } from './binary-writer.ts';
import { allColumns, type DecodedCall, decodeCall, summaryColumns } from './call-columns.ts';
import { writeCall } from './call-rows.ts';
import type { EndpointCall } from './endpoint-calls.ts';

/**
 * A batch of rows that one statement stores, one behind the other, encoded: so they take little room while they wait,
 * and no work of the collector's. Its memory can be used again for others.
 */
export class CallBatch {
  readonly #writer: BinaryWriter;
  /** Where rows begin; as many as were added count. */
  readonly #starts: number[] = [];
  #first = 0;
  #hasDetail = false;
  /** Rows that were added since it was empty. */
  addedCount = 0;

  /** @param bytesExpected room that is taken at once; more is taken when it is needed. */
  constructor(bytesExpected: number) {
    this.#writer = new BinaryWriter(bytesExpected);
  }

  /** Whether rows have the columns of a detail; the first row decides it for all. */
  get hasDetail(): boolean {
    return this.#hasDetail;
  }

  /** Whether there is a place for everything that is told of the call. */
  takes({ detail }: EndpointCall): boolean {
    return detail === null || this.#hasDetail || this.addedCount === 0;
  }

  /** Adds a row that it takes. */
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

  /** Bytes that it holds, whether they are used or not. */
  get size(): number {
    return this.#writer.bytes.length;
  }

  /** Forgets all rows and keeps the memory. */
  clear(): void {
    this.#writer.at = 0;
    this.#first = 0;
    this.addedCount = 0;
  }

  dropFirst(): void {
    this.#first += 1;
  }

  /** All rows. */
  get bytes(): Buffer {
    const start = this.count > 0 ? (this.#starts[this.#first] ?? 0) : this.#writer.at;
    return this.#writer.bytes.subarray(start, this.#writer.at);
  }

  /** The rows one by one, decoded. */
  *decoded(): Generator<DecodedCall> {
    for (let at = this.#first; at < this.addedCount; at += 1) {
      yield decodeCall(this.#writer.bytes, this.#starts[at] ?? 0);
    }
  }
}

/**
 * The statements that store batches as `copyData` makes them, one transaction. It does not wait for the disk: when the
 * server of the database itself goes down, rows of its last moments (three times `wal_writer_delay`, 0.6 s) may be lost.
 */
export function copyCallsText(schema: string, batches: readonly CallBatch[]): string {
  const copies = batches.map((batch) => {
    const names = (batch.hasDetail ? allColumns : summaryColumns).map(([column]) => column);
    return `copy ${schema}.endpoint_call_log (${names.join(', ')}) from stdin (format binary)`;
  });
  return ['set local synchronous_commit = off', ...copies].join('; ');
}

/** What `COPY` reads: rows with what has to stand before and after them. */
export const copyData = ({ bytes }: CallBatch): Buffer[] => [copyHeader, bytes, copyTrailer];
