import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { HucreError } from 'hucre';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { distinctNames } from '../../distinct-names.ts';
import { type DecodedFile, writeCopy } from './decoded-file.ts';
import { FileRefusal } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';
import { assertSmall, soundArchive } from './xlsx-archive.ts';
import { type Calendar, type Cell, kindOf, type SheetKind, textOf, typeOf } from './xlsx-cells.ts';

/** A sheet written as a CSV file. `hasHeader`: its first row contains the names of the columns. */
export type WrittenSheet = {
  readonly sheet: string;
  readonly hasHeader: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Number in the sheet of each written row. */
  readonly rowNumbers: readonly number[];
};

const namedSheetsMax = 20;
/** Most sheets that the search for rows reads. Each read parses the texts of the whole file. */
const triedSheetsMax = 20;

/**
 * Writes one sheet of an XLSX file as CSV, without a header line. A column has a type other than text only if that type can
 * represent the kinds of all its cells.
 *
 * @throws FileRefusal for a file that is too large, is not XLSX, or has no such sheet with rows.
 */
export async function writeSheet(
  from: string,
  settings: FileSettings,
  to: DecodedFile,
): Promise<WrittenSheet> {
  await assertSmall(from);
  const bytes = await soundArchive(from, await readFile(from));
  try {
    const { sheet, calendar } = await sheetOf(bytes, basename(from), settings.sheet);
    const reader = { bytes, sheet, calendar };
    const shape = await shapeOf(reader, settings.hasHeader);
    if (!shape) throw new FileRefusal(`The sheet ${sheet} of ${basename(from)} is empty.`);
    const given = new Map(settings.types?.map(({ column, type }) => [column, type]));
    const columns = shape.columns.map(({ name, type }) => ({ name, type: given.get(name) ?? type }));
    const rowNumbers: number[] = [];
    await writeCopy(linesOf(reader, { ...shape, columns }, rowNumbers), to, from);
    return { sheet, ...shape, rowNumbers };
  } catch (error) {
    if (!(error instanceof HucreError)) throw error;
    throw new FileRefusal(
      `The file ${basename(from)} cannot be read as XLSX. Save it again in a spreadsheet program.`,
    );
  }
}

type SheetReader = { readonly bytes: Buffer; readonly sheet: string; readonly calendar: Calendar };

/** Returns the named sheet, or the first visible sheet with rows. Chart sheets have no rows. */
async function sheetOf(
  bytes: Buffer,
  file: string,
  wanted: string | undefined,
): Promise<{ readonly sheet: string; readonly calendar: Calendar }> {
  const sheets: { readonly name: string; readonly isShown: boolean }[] = [];
  const { dateSystem } = await readXlsx(bytes, {
    sheets: ({ name, hidden, veryHidden }) =>
      sheets.push({ name, isShown: hidden !== true && veryHidden !== true }) < 0,
  });
  const calendar: Calendar = dateSystem ?? '1900';
  const names = sheets.map(({ name }) => name);
  if (wanted !== undefined && names.includes(wanted)) return { sheet: wanted, calendar };
  const known = names.slice(0, namedSheetsMax).join(', ');
  if (wanted !== undefined)
    throw new FileRefusal(`The file ${file} has no sheet ${wanted}. Its sheets are: ${known}.`);
  for (const { name, isShown } of sheets.slice(0, triedSheetsMax))
    if (isShown && (await hasRows(bytes, name))) return { sheet: name, calendar };
  throw new FileRefusal(`The file ${file} has no sheet with rows that is shown. Its sheets are: ${known}.`);
}

/** Reader's message for a chart sheet. */
const noWorksheet = /missing worksheet file/;

/** Returns false for an empty sheet and for a chart sheet. */
async function hasRows(bytes: Buffer, sheet: string): Promise<boolean> {
  try {
    for await (const { values } of streamXlsxRows(bytes, { sheet }))
      if (values.some((value) => value !== null)) return true;
  } catch (error) {
    if (!(error instanceof HucreError && noWorksheet.test(error.message))) throw error;
  }
  return false;
}

type Row = { readonly number: number; readonly cells: readonly Cell[] };

/** Yields rows with a value, with row numbers from 1, without trailing empty cells. */
async function* rowsOf({ bytes, sheet }: SheetReader): AsyncGenerator<Row> {
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const width = values.findLastIndex((value) => value !== null) + 1;
    if (width > 0) yield { number: index + 1, cells: values.slice(0, width) as readonly Cell[] };
  }
}

type Shape = Pick<WrittenSheet, 'hasHeader' | 'columns'>;

async function shapeOf(reader: SheetReader, hasHeader: boolean | undefined): Promise<Shape | undefined> {
  const kinds: Set<SheetKind>[] = [];
  let header: readonly Cell[] | undefined;
  let isHeader = false;
  for await (const { number, cells } of rowsOf(reader)) {
    if (header === undefined) {
      header = cells;
      isHeader = hasHeader ?? cells.every((cell) => cell === null || typeof cell === 'string');
      if (isHeader) {
        for (const _cell of cells) kinds.push(new Set());
        continue;
      }
    }
    for (const [at, cell] of cells.entries()) {
      kinds[at] ??= new Set();
      if (cell !== null) kinds[at].add(kindOf(cell, reader.calendar, { row: number, column: at }));
    }
  }
  if (header === undefined) return undefined;
  const names = Array.from({ length: kinds.length }, (_, at) => {
    const cell = (isHeader && header[at]) || null;
    const name = cell === null ? '' : textOf(cell, 'VARCHAR', reader.calendar).trim();
    return name === '' ? `column${at}` : name;
  });
  const distinct = distinctNames(names, (name) => name.toLowerCase());
  const columns = distinct.map((name, at) => ({ name, type: typeOf(kinds[at] ?? new Set()) }));
  return { hasHeader: isHeader, columns };
}

/** Yields the CSV lines, and collects the numbers of their rows. An empty text is quoted, NULL is not. */
async function* linesOf(
  reader: SheetReader,
  { columns, hasHeader }: Shape,
  rowNumbers: number[],
): AsyncGenerator<string> {
  let isHeader = hasHeader;
  for await (const { number, cells } of rowsOf(reader)) {
    if (!isHeader) {
      rowNumbers.push(number);
      const texts = columns.map(({ type }, at) => {
        const cell = cells[at] ?? null;
        return cell === null ? '' : `"${textOf(cell, type, reader.calendar).replaceAll('"', '""')}"`;
      });
      yield `${texts.join(',')}\n`;
    }
    isHeader = false;
  }
}
