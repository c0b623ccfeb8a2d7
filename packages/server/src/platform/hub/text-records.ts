import { ProtocolError } from './messages.ts';

/** Ends each record of the text encoding and of the handshake. */
export const recordSeparator = 0x1e;

const none = Buffer.alloc(0);

/** Collects bytes until a record is complete. Never holds more than one unfinished record. */
export class TextRecords {
  readonly #recordBytesMax: number;
  #pending: Buffer = none;

  constructor(recordBytesMax: number) {
    this.#recordBytesMax = recordBytesMax;
  }

  /** Takes the next piece. @throws ProtocolError when a record is longer than allowed. */
  push(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    const start = this.#pending.lastIndexOf(recordSeparator) + 1;
    if (this.#pending.length - start > this.#recordBytesMax) throw tooLong();
  }

  /** Takes out the next complete record, without its separator; undefined when there is none. */
  shift(): Buffer | undefined {
    const end = this.#pending.indexOf(recordSeparator);
    if (end === -1) return undefined;
    if (end > this.#recordBytesMax) throw tooLong();
    const record = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(end + 1);
    return record;
  }

  /** Gives back what has not been taken out. */
  rest(): Buffer {
    const rest = this.#pending;
    this.#pending = none;
    return rest;
  }
}

const tooLong = (): ProtocolError => new ProtocolError('A message is longer than this service takes.');

/** A JSON text as a record. */
export const textRecord = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\u001e`, 'utf8');

/** The object that a record holds. @throws ProtocolError when it holds none. */
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
