/** Collects chunks in one growing buffer. A list of small chunks would need about a hundred bytes more for each. */
export class GrowingBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  readonly #lengthMax: number;

  /** @param lengthMax  largest total length in bytes */
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

  /** Returns the collected bytes. They alias the live buffer: copy them to retain them. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
