/** More bytes are needed than are there: so many, from the beginning. */
export class NotEnoughBytes extends Error {
  readonly needed: number;

  constructor(needed: number) {
    super('More bytes are needed.');
    this.needed = needed;
  }
}

const unknownLength = 0xff_ff_ff_ff_ff_ff_ff_fen;
const nullLength = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** Reads the numbers and texts of the protocol from bytes that may not all be there yet. */
export class ByteReader {
  readonly #bytes: Buffer;
  /** Bytes of one value; `tooLarge` makes the error for more, before they are gathered. */
  readonly #valueMax: number;
  readonly #tooLarge: () => Error;
  at = 0;

  constructor(bytes: Buffer, valueMax: number, tooLarge: () => Error) {
    this.#bytes = bytes;
    this.#valueMax = valueMax;
    this.#tooLarge = tooLarge;
  }

  /** So many bytes, which are passed over. */
  take(length: number): Buffer {
    const from = this.at;
    if (from + length > this.#bytes.length) throw new NotEnoughBytes(from + length);
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
    if (length > this.#valueMax) throw this.#tooLarge();
    return this.take(length);
  }

  /** A value in chunks, whose length may not be known before; undefined for NULL. */
  chunks(): Buffer | undefined {
    const length = this.take(8).readBigUInt64LE();
    if (length === nullLength) return undefined;
    if (length !== unknownLength && length > BigInt(this.#valueMax)) throw this.#tooLarge();
    const parts: Buffer[] = [];
    let size = 0;
    for (let next = this.u32(); next !== 0; next = this.u32()) {
      size += next;
      if (size > this.#valueMax) throw this.#tooLarge();
      parts.push(this.take(next));
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
  }
}
