import { GrowingBuffer } from '../growing-buffer.ts';

/** More bytes are needed than are there: so many, from those that are kept. */
export class NotEnoughBytes extends Error {
  readonly needed: number;

  constructor(needed: number) {
    super('More bytes are needed.');
    this.needed = needed;
  }
}

/**
 * Reads the numbers and texts of the protocol from bytes that may not all be there yet. Where they are not, what was
 * read since `keep` is read again with more; what stands before it is not.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  /** Bytes of one value; `tooLarge` makes the error for more, before they are gathered. */
  readonly valueMax: number;
  readonly #tooLarge: () => Error;
  #keptFrom = 0;
  at = 0;

  constructor(bytes: Buffer, valueMax: number, tooLarge: () => Error) {
    this.#bytes = bytes;
    this.valueMax = valueMax;
    this.#tooLarge = tooLarge;
  }

  /** What was read until here is done with. */
  keep(): void {
    this.#keptFrom = this.at;
  }

  /** The bytes that are to be read again. */
  get rest(): Buffer {
    return this.#bytes.subarray(this.#keptFrom);
  }

  /** So many bytes, which are passed over. */
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

  /** A text of so many characters. */
  text(characters: number): string {
    return this.take(characters * 2).toString('utf16le');
  }

  /** The bytes of a value of this length. */
  value(length: number): Buffer {
    this.allow(length);
    return this.take(length);
  }

  /** Throws for a value of more bytes than one may have. */
  allow(length: number | bigint): void {
    if (length > this.valueMax) throw this.#tooLarge();
  }
}

const unknownLength = 0xff_ff_ff_ff_ff_ff_ff_fen;
const nullLength = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** A value in chunks, whose length may not be known before, as far as it has come. */
export class ChunkedValue {
  #kept: GrowingBuffer | undefined;

  /** The whole value; undefined for NULL. To be called again when bytes were missing. */
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
