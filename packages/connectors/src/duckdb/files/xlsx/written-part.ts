import { tooLarge, unpackedBytesMax } from './archive.ts';

const pieceCharacters = 65_536;

/** Collects the XML of a part. */
export class WrittenPart {
  readonly #file: string;
  readonly #pieces: Buffer[] = [];
  #text = '';
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws FileRefusal if the part becomes larger than 128 MB */
  add(xml: string): void {
    this.#text += xml;
    if (this.#text.length > pieceCharacters) this.#flush();
  }

  /** Returns the whole XML in pieces. */
  pieces(): readonly Buffer[] {
    this.#flush();
    return this.#pieces;
  }

  #flush(): void {
    const piece = Buffer.from(this.#text);
    this.#text = '';
    this.#bytes += piece.length;
    if (this.#bytes > unpackedBytesMax) throw tooLarge(this.#file, 'unpacked', unpackedBytesMax);
    this.#pieces.push(piece);
  }
}
