import { type Archive, damaged } from './archive.ts';
import { WrittenPart } from './written-part.ts';
import { type Attributes, escapeXml } from './xml.ts';

const rowMax = 1_048_576;
const columnMax = 16_384;
/** Characters of the XML of a text in a cell. A cell has at most 32,767 characters. */
const inlineTextMax = 1_048_576;
const sheetElements = {
  worksheet: { sheetData: { row: { c: { v: {}, is: { t: {}, r: { t: {} } } } } } },
};
/** Types of cells other than numbers. */
const cellTypes: readonly string[] = ['s', 'str', 'inlineStr', 'b', 'e'];
const cellPosition = /^([A-Za-z]{1,3})\d{1,7}$/;
const wholeNumber = /^\d{1,10}$/;

/** Returns the letters of a column, from 0: A to Z, AA, AB, … */
export function columnLetters(column: number): string {
  const rest = column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1);
  return rest + String.fromCharCode(65 + (column % 26));
}

/** Returns the column of a position, from 0; -1 for an invalid position. */
function columnOf(position: string): number {
  const letters = cellPosition.exec(position)?.[1]?.toUpperCase() ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/**
 * Writes the XML of a sheet for the reader: only the rows and cells with values, without formulas and phonetic runs.
 * The cells of a row are next to each other, so that the reader creates no empty cells between them. A second row
 * after each row contains the columns of its cells in one cell. The second row is empty if the cells of the first
 * have no gaps.
 *
 * @param sharedTextCount  number of shared texts that cells may refer to
 * @returns undefined for a sheet without a value
 * @throws FileRefusal for a damaged sheet
 */
export async function writeSheetPart(
  archive: Archive,
  part: string,
  sharedTextCount: number,
): Promise<readonly Buffer[] | undefined> {
  const writer = new SheetWriter(archive.file, sharedTextCount);
  await archive.readPart(part, sheetElements, {
    open: (name, attributes) => writer.open(name, attributes),
    close: (name, text) => writer.close(name, text),
  });
  return writer.pieces();
}

class SheetWriter {
  readonly #file: string;
  readonly #sharedTextCount: number;
  readonly #part: WrittenPart;
  #row = 0;
  #hasRows = false;
  /** Columns of the written cells of the row. */
  #columns: number[] = [];
  /** Column of the last cell of the row, with or without a value. */
  #column = -1;
  #type = '';
  #style = '';
  #value: string | undefined;
  #inlineText: string | undefined;

  constructor(file: string, sharedTextCount: number) {
    this.#file = file;
    this.#sharedTextCount = sharedTextCount;
    this.#part = new WrittenPart(file);
    this.#part.add('<worksheet><sheetData>');
  }

  pieces(): readonly Buffer[] | undefined {
    if (!this.#hasRows) return undefined;
    this.#part.add('</sheetData></worksheet>');
    return this.#part.pieces();
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') this.#openRow(attributes['r']?.value);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'is') this.#inlineText = '';
    else if (name === 'r') this.#addInline('<r>');
  }

  close(name: string, text: string): void {
    if (name === 'row') this.#closeRow();
    else if (name === 'c') this.#closeCell();
    else if (name === 'v') this.#value = text;
    else if (name === 't') this.#addInline(`<t>${escapeXml(text)}</t>`);
    else if (name === 'r') this.#addInline('</r>');
  }

  #addInline(xml: string): void {
    this.#inlineText = (this.#inlineText ?? '') + xml;
    if (this.#inlineText.length > inlineTextMax) throw damaged(this.#file);
  }

  #openRow(number: string | undefined): void {
    this.#row = number === undefined ? this.#row + 1 : Number(wholeNumber.test(number) ? number : 0);
    if (this.#row < 1 || this.#row > rowMax) throw damaged(this.#file);
    [this.#columns, this.#column] = [[], -1];
  }

  #openCell(attributes: Attributes): void {
    const position = attributes['r']?.value;
    const type = attributes['t']?.value ?? '';
    const style = attributes['s']?.value ?? '';
    this.#column = position === undefined ? this.#column + 1 : columnOf(position);
    if (this.#column < 0 || this.#column >= columnMax) throw damaged(this.#file);
    if (style !== '' && !wholeNumber.test(style)) throw damaged(this.#file);
    this.#type = cellTypes.includes(type) ? type : '';
    this.#style = style;
    [this.#value, this.#inlineText] = [undefined, undefined];
  }

  /** Adds a cell with a value. A cell without a value is NULL, also if it has a type. */
  #closeCell(): void {
    const value = this.#value ?? '';
    const isText = this.#type === 'inlineStr';
    if (isText ? this.#inlineText === undefined : this.#value === undefined) return;
    if (this.#type === '' && value === '') return;
    if (this.#type === 's' && !(wholeNumber.test(value.trim()) && Number(value) < this.#sharedTextCount))
      throw damaged(this.#file);
    const type = this.#type === '' ? '' : ` t="${this.#type}"`;
    const style = this.#style === '' ? '' : ` s="${this.#style}"`;
    const content = isText ? `<is>${this.#inlineText}</is>` : `<v>${escapeXml(value)}</v>`;
    if (this.#columns.length === columnMax) throw damaged(this.#file);
    if (this.#columns.length === 0) this.#part.add(`<row r="${this.#row}">`);
    this.#columns.push(this.#column);
    this.#part.add(`<c${type}${style}>${content}</c>`);
  }

  #closeRow(): void {
    if (this.#columns.length === 0) return;
    this.#hasRows = true;
    const hasGaps = this.#columns.some((column, at) => column !== at);
    const columns = hasGaps ? `<c t="str"><v>${this.#columns.join()}</v></c>` : '';
    this.#part.add(`</row><row>${columns}</row>`);
  }
}
