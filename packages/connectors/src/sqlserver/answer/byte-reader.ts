import { GrowingBuffer } from '../../growing-buffer.ts';

/** Error for missing bytes. `needed` counts from the start of the retained bytes. */
export class NotEnoughBytes extends Error {
  readonly needed: number;

  constructor(needed: number) {
    super('More bytes are needed.');
    this.needed = needed;
  }
}

/**
 * Reads the numbers and texts of the protocol from bytes that may be incomplete. With missing bytes the caller reads
 * again from the last `keep`; earlier bytes are done.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  /** Largest value in bytes. A larger one throws `tooLarge` before its bytes are collected. */
  readonly valueMax: number;
  readonly #tooLarge: () => Error;
  #keptFrom = 0;
  at = 0;

  constructor(bytes: Buffer, valueMax: number, tooLarge: () => Error) {
    this.#bytes = bytes;
    this.valueMax = valueMax;
    this.#tooLarge = tooLarge;
  }

  /** Marks all bytes before this position as done. */
  keep(): void {
    this.#keptFrom = this.at;
  }

  /** Returns the bytes that must be read again. */
  get rest(): Buffer {
    return this.#bytes.subarray(this.#keptFrom);
  }

  /** Returns the next `length` bytes and skips them. */
  take(length: number): Buffer {
    const from = this.at;
    if (from + length > this.#bytes.length) throw new NotEnoughBytes(from + length - this.#keptFrom);
    this.at = from + length;
    return this.#bytes.subarray(from, this.at);
  }

  u8(): number {
    return this.take(1).readUInt8();
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /** Reads a text of this many characters. */
  text(characters: number): string {
    return this.take(characters * 2).toString('utf16le');
  }

  /** Returns the bytes of a value of this length. */
  value(length: number): Buffer {
    this.allow(length);
    return this.take(length);
  }

  /** Throws for a value above the limit. */
  allow(length: number | bigint): void {
    if (length > this.valueMax) throw this.#tooLarge();
  }
}

const unknownLength = 0xff_ff_ff_ff_ff_ff_ff_fen;
const nullLength = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** Value in chunks, whose total length may be unknown. It retains the chunks so far. */
export class ChunkedValue {
  #kept: GrowingBuffer | undefined;

  /** Returns the whole value; undefined for NULL. After missing bytes, the caller must call it again. */
  read(reader: ByteReader): Buffer | undefined {
    if (!this.#kept) {
      const length = reader.take(8).readBigUInt64LE();
      if (length === nullLength) return undefined;
      if (length !== unknownLength) reader.allow(length);
      this.#kept = new GrowingBuffer(reader.valueMax);
      reader.keep();
    }
    for (let next = reader.u32(); next !== 0; next = reader.u32()) {
      reader.allow(this.#kept.length + next);
      this.#kept.add(reader.take(next));
      reader.keep();
    }
    return this.#kept.bytes();
  }
}
