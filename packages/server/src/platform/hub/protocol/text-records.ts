import { ProtocolError } from './messages.ts';

/** Ends each record of the text encoding and of the handshake. */
export const recordSeparator = 0x1e;

const none = Buffer.alloc(0);

/** Collects bytes until a record is complete. Buffers at most one unfinished record. */
export class TextRecords {
  readonly #recordBytesMax: number;
  #pending: Buffer = none;

  constructor(recordBytesMax: number) {
    this.#recordBytesMax = recordBytesMax;
  }

  /** Adds bytes. @throws ProtocolError when a record is longer than allowed. */
  push(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    const start = this.#pending.lastIndexOf(recordSeparator) + 1;
    if (this.#pending.length - start > this.#recordBytesMax) throw tooLong();
  }

  /** Removes and returns the next complete record, without its separator. Undefined if there is none. */
  shift(): Buffer | undefined {
    const end = this.#pending.indexOf(recordSeparator);
    if (end === -1) return undefined;
    if (end > this.#recordBytesMax) throw tooLong();
    const record = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(end + 1);
    return record;
  }

  /** Returns and clears the remaining bytes. */
  rest(): Buffer {
    const rest = this.#pending;
    this.#pending = none;
    return rest;
  }
}

const tooLong = (): ProtocolError => new ProtocolError('A message is longer than this service takes.');

/** Returns a value as a JSON record. */
export const textRecord = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\u001e`, 'utf8');

/** Parses the object of a record. @throws ProtocolError if the record is no JSON object. */
export function parseRecord(record: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(record.toString('utf8'));
  } catch {
    throw new ProtocolError('A message is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError('A message is not a JSON object.');
  return value as Record<string, unknown>;
}
