/** Bytes that come in pieces, in one buffer: pieces may be small, and each that is kept takes a hundred bytes more. */
export class GrowingBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  readonly #lengthMax: number;

  /** @param lengthMax  no more is ever added */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(2 * this.#bytes.length, this.#lengthMax)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** What was added; it is a part of what is written to still. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
