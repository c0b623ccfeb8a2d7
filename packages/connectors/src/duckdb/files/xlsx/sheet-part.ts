import { FileRefusal } from '../file-refusals.ts';
import { type Archive, damaged } from './archive.ts';
import { cellRefusal, readerCell } from './cell-values.ts';
import type { SharedParts } from './reader-archive.ts';
import { WrittenPart } from './written-part.ts';
import { type Attributes, runsXml } from './xml.ts';

const rowMax = 1_048_576;
const columnMax = 16_384;
/** Characters of a text in a cell. A program writes fewer: a cell has at most 32,767 characters. */
const inlineTextMax = 1_048_576;
const sheetElements = {
  worksheet: { sheetData: { row: { c: { v: {}, is: { t: {}, r: { t: {} } } } } } },
};
const cellPosition = /^([A-Za-z]{1,3})(\d{1,7})$/;
const wholeNumber = /^\d{1,10}$/;

/** Returns the letters of a column, from 0: A to Z, AA, AB, … */
export function columnLetters(column: number): string {
  const rest = column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1);
  return rest + String.fromCharCode(65 + (column % 26));
}

/** Returns the column of a position, from 0, and its row, from 1. The column of an invalid position is -1. */
function placeOf(position: string): { readonly column: number; readonly row: number } {
  const [, letters = '', row = '0'] = cellPosition.exec(position) ?? [];
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { column: column - 1, row: Number(row) };
}

/**
 * Writes the XML of a sheet for the reader: only the rows and cells with values, without formulas and phonetic runs.
 * The cells of a row are next to each other, so that the reader creates no empty cells between them. A second row
 * after each row contains the columns of its cells in one cell. The second row is empty if the cells of the first
 * have no gaps.
 *
 * @param shared  numbers of the shared texts and of the styles that cells may refer to
 * @returns undefined for a sheet without a value
 * @throws FileRefusal for a damaged sheet, a row or a cell out of order, and a cell with an unsound value
 */
export async function writeSheetPart(
  archive: Archive,
  { name: sheet, part }: { readonly name: string; readonly part: string },
  shared: SharedCounts,
): Promise<readonly Buffer[] | undefined> {
  const writer = new SheetWriter({ file: archive.file, sheet }, shared);
  await archive.readPart(part, sheetElements, {
    open: (name, attributes) => writer.open(name, attributes),
    close: (name, text) => writer.close(name, text),
  });
  return writer.pieces();
}

type SharedCounts = Pick<SharedParts, 'textCount' | 'styleCount'>;

class SheetWriter {
  readonly #file: string;
  readonly #sheet: string;
  readonly #shared: SharedCounts;
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
  /** Texts in `<is>`: one, or several runs. */
  #inlineTexts: string[] | undefined;
  #inlineLength = 0;

  constructor({ file, sheet }: { readonly file: string; readonly sheet: string }, shared: SharedCounts) {
    this.#file = file;
    this.#sheet = sheet;
    this.#shared = shared;
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
    else if (name === 'is') this.#openInline();
  }

  close(name: string, text: string): void {
    if (name === 'row') this.#closeRow();
    else if (name === 'c') this.#closeCell();
    else if (name === 'v') this.#setValue(text);
    else if (name === 't') this.#addInline(text);
  }

  #setValue(text: string): void {
    if (this.#value !== undefined) this.#refuseCell('has several values.');
    this.#value = text;
  }

  #openInline(): void {
    if (this.#inlineTexts) this.#refuseCell('has several values.');
    this.#inlineTexts = [];
    this.#inlineLength = 0;
  }

  #addInline(text: string): void {
    this.#inlineTexts?.push(text);
    this.#inlineLength += text.length;
    if (this.#inlineLength > inlineTextMax) throw damaged(this.#file);
  }

  #refuseCell(reason: string): never {
    const position = `${columnLetters(this.#column)}${this.#row}`;
    throw cellRefusal({ file: this.#file, sheet: this.#sheet, position }, reason);
  }

  #openRow(number: string | undefined): void {
    const row = number === undefined ? this.#row + 1 : Number(wholeNumber.test(number) ? number : 0);
    if (row < 1 || row > rowMax) throw damaged(this.#file);
    if (row <= this.#row)
      throw new FileRefusal(
        `Row ${row} of the sheet ${this.#sheet} in the file ${this.#file} follows row ${this.#row}. Save the file again in a spreadsheet program.`,
      );
    this.#row = row;
    [this.#columns, this.#column] = [[], -1];
  }

  #openCell(attributes: Attributes): void {
    const before = this.#column;
    const position = attributes['r']?.value;
    const place = position === undefined ? { column: before + 1, row: this.#row } : placeOf(position);
    this.#style = attributes['s']?.value ?? '';
    if (place.column < 0 || place.column >= columnMax) throw damaged(this.#file);
    if (this.#style !== '' && !wholeNumber.test(this.#style)) throw damaged(this.#file);
    const named = { file: this.#file, sheet: this.#sheet, position: position ?? '' };
    if (place.row !== this.#row) throw cellRefusal(named, `is in row ${this.#row}.`);
    if (place.column <= before)
      throw cellRefusal(named, `follows the cell ${columnLetters(before)}${this.#row}.`);
    this.#column = place.column;
    this.#type = attributes['t']?.value ?? '';
    [this.#value, this.#inlineTexts] = [undefined, undefined];
  }

  #closeCell(): void {
    const cell = readerCell(
      { type: this.#type, value: this.#value, inlineText: this.#inlineTexts && runsXml(this.#inlineTexts) },
      this.#shared.textCount,
      (reason) => this.#refuseCell(reason),
    );
    if (!cell) return;
    const isDefaultStyle = this.#style === '' || Number(this.#style) === 0;
    if (cell.type === '' && !isDefaultStyle && Number(this.#style) >= this.#shared.styleCount)
      this.#refuseCell('has a number format that the file does not have.');
    const type = cell.type === '' ? '' : ` t="${cell.type}"`;
    const style = this.#style === '' ? '' : ` s="${this.#style}"`;
    if (this.#columns.length === 0) this.#part.add(`<row r="${this.#row}">`);
    this.#columns.push(this.#column);
    this.#part.add(`<c${type}${style}>${cell.content}</c>`);
  }

  #closeRow(): void {
    if (this.#columns.length === 0) return;
    this.#hasRows = true;
    const hasGaps = this.#columns.some((column, at) => column !== at);
    const columns = hasGaps ? `<c t="str"><v>${this.#columns.join()}</v></c>` : '';
    this.#part.add(`</row><row>${columns}</row>`);
  }
}
