/** Position of a cell, from 1, and the letters of its column. */
export type CellPlace = { readonly row: number; readonly column: string };

/** Bytes of a sheet of which the scan adds up the widths of the rows. */
const windowBytes = 1_048_576;
/** Most cells that the rows of one window have up to their last cell, empty cells included. The reader has them in memory. */
const windowCellsMax = 6_000_000;
const lastColumn = 16_384;

/** Start tags of rows and cells, with the attribute of their position. */
const positioned =
  /<(?:\w+:)?(row|c)(?=[\s/>])(?:(?:\s+(?!r\s*=)[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s+r\s*=\s*["']([^"']*))?/g;
/** Start and end tags of phonetic runs: texts that spreadsheets show above a text. */
const phonetic = /<(?:\w+:)?rPh[\s/>]/;
const phoneticEnd = /<\/(?:\w+:)?rPh\s*>/g;
/** Returns the text up to the last complete tag, and the remaining text. */
function splitAtTag(text: string): readonly [string, string] {
  const start = text.lastIndexOf('<');
  return start > text.lastIndexOf('>') ? [text.slice(0, start), text.slice(start)] : [text, ''];
}

function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** Scans the XML of a sheet in chunks, in the order of the file. */
export class SheetScan {
  #rest = '';
  #row = 0;
  #width = 0;
  #windowCells = 0;
  #windowBytes = 0;
  /** A cell text has a phonetic run. */
  hasPhonetic = false;
  /** First cell that needs more empty cells before it than memory permits. */
  farCell: CellPlace | undefined;

  take(chunk: Buffer): void {
    if (this.farCell) return;
    const [text, rest] = splitAtTag(this.#rest + chunk.toString('latin1'));
    this.#rest = rest;
    this.#windowBytes += chunk.length;
    if (this.#windowBytes > windowBytes) [this.#windowBytes, this.#windowCells] = [0, 0];
    this.hasPhonetic ||= phonetic.test(text);
    for (const [, tag, place = ''] of text.matchAll(positioned)) {
      if (tag === 'row') this.#beginRow(place);
      else this.#addCell(place);
      if (this.farCell) return;
    }
  }

  #beginRow(place: string): void {
    this.#row = place === '' ? this.#row + 1 : Number(place);
    this.#width = 0;
  }

  #addCell(place: string): void {
    const letters = /^[A-Za-z]{1,3}/.exec(place)?.[0] ?? '';
    // The reader resolves entities in a position, the scan does not.
    const column = place.includes('&') ? lastColumn : columnOf(letters) || this.#width + 1;
    if (column <= this.#width) return;
    this.#windowCells += column - this.#width;
    this.#width = column;
    if (this.#windowCells > windowCellsMax) this.farCell = { row: this.#row, column: letters.toUpperCase() };
  }
}

/** Returns the complete tags of a text without phonetic runs, and the remaining text, which may begin with an incomplete run. */
function removeRuns(text: string): readonly [string, string] {
  let complete = '';
  let remaining = text;
  for (;;) {
    const start = remaining.search(phonetic);
    if (start < 0) break;
    complete += remaining.slice(0, start);
    remaining = remaining.slice(start);
    const tagEnd = remaining.indexOf('>');
    const isEmpty = remaining[tagEnd - 1] === '/';
    phoneticEnd.lastIndex = Math.max(tagEnd, 0);
    const end = isEmpty ? tagEnd + 1 : phoneticEnd.exec(remaining) && phoneticEnd.lastIndex;
    if (tagEnd < 0 || end === null) return [complete, remaining];
    remaining = remaining.slice(end);
  }
  const [tags, rest] = splitAtTag(remaining);
  return [complete + tags, rest];
}

/**
 * Returns the XML of a sheet without phonetic runs. The sheet reader would append them to the texts of inline cells.
 *
 * @param runBytesMax  most bytes of one run
 * @returns undefined for a longer run, and for a run without an end
 */
export async function withoutPhonetics(
  chunks: AsyncIterable<Buffer>,
  runBytesMax: number,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let rest = '';
  for await (const chunk of chunks) {
    const [complete, remaining] = removeRuns(rest + chunk.toString('latin1'));
    rest = remaining;
    if (rest.length > runBytesMax) return undefined;
    parts.push(Buffer.from(complete, 'latin1'));
  }
  if (phonetic.test(rest)) return undefined;
  return Buffer.concat([...parts, Buffer.from(rest, 'latin1')]);
}
