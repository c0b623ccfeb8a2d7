import { HucreError } from 'hucre';
import { streamXlsxRows } from 'hucre/xlsx';
import { distinctNames } from '../../../distinct-names.ts';
import { type DecodedFile, writeCopy } from '../decoded-file.ts';
import { FileRefusal } from '../file-refusals.ts';
import type { FileSettings } from '../file-settings.ts';
import { openArchive } from './archive.ts';
import { type Calendar, type Cell, kindOf, type SheetKind, textOf, typeOf } from './cells.ts';
import { packSheet, readerSheet, writeSharedParts } from './reader-archive.ts';
import { columnLetters, writeSheetPart } from './sheet-part.ts';
import { assertNotTooWide } from './width.ts';
import { readWorkbook } from './workbook.ts';

/** A sheet written as a CSV file. `hasHeader`: its first row contains the names of the columns. */
export type WrittenSheet = {
  readonly sheet: string;
  readonly hasHeader: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Number in the sheet of each written row. */
  readonly rowNumbers: readonly number[];
};

const namedSheetsMax = 20;
const bytesPerMb = 1_048_576;

/**
 * Writes one sheet of an XLSX file as CSV, without a header line. A column has a type other than text only if that
 * type can represent the kinds of all its cells.
 *
 * @param to  the copy, and the memory of the engine that reads it
 * @throws FileRefusal for a file that is too large or too wide, is not XLSX, or has no such sheet with rows.
 */
export async function writeSheet(
  from: string,
  settings: FileSettings,
  to: DecodedFile & { readonly memoryBytes: number },
): Promise<WrittenSheet> {
  const reader = await readerOf(from, settings.sheet);
  const { file, sheet } = reader;
  try {
    const { hasHeader, columns: detected, rowCount, widest } = await shapeOf(reader, settings.hasHeader);
    if (rowCount * detected.length > to.space.bytesLeft)
      throw new FileRefusal(
        `Row ${widest} of the sheet ${sheet} in the file ${file} has a cell in the column ${columnLetters(detected.length - 1)}. The empty cells of all rows before this column exceed the ${Math.floor(to.space.bytesMax / bytesPerMb)} MB that can be converted. Move the cells next to each other.`,
      );
    const declaredTypes = new Map(settings.types?.map(({ column, type }) => [column, type]));
    const columns = detected.map(({ name, type }) => ({ name, type: declaredTypes.get(name) ?? type }));
    assertNotTooWide(reader, columns, to.memoryBytes);
    const rowNumbers: number[] = [];
    await writeCopy(linesOf(reader, { hasHeader, columns }, rowNumbers), to, from);
    return { sheet, hasHeader, columns: detected, rowNumbers };
  } catch (error) {
    if (!(error instanceof HucreError)) throw error;
    throw new FileRefusal(`The file ${file} cannot be read as XLSX. Save it again in a spreadsheet program.`);
  }
}

/** A sheet in an archive that we have written for the reader. */
type SheetReader = {
  readonly file: string;
  readonly sheet: string;
  readonly bytes: Buffer;
  readonly calendar: Calendar;
};

/** Writes the named sheet for the reader, or the first visible sheet with rows. */
async function readerOf(from: string, requested: string | undefined): Promise<SheetReader> {
  const archive = await openArchive(from);
  const { file } = archive;
  try {
    const workbook = await readWorkbook(archive);
    const { calendar, sheets } = workbook;
    const shared = await writeSharedParts(archive, workbook);
    const tried = new Set<string>();
    for (const { name, isShown, part } of sheets) {
      if (requested === undefined ? !isShown : name !== requested) continue;
      const isRepeated = part === undefined || tried.has(part);
      const xml = isRepeated ? undefined : await writeSheetPart(archive, { name, part }, shared);
      if (xml) return { file, sheet: name, bytes: await packSheet(xml, shared, calendar), calendar };
      if (requested !== undefined) throw new FileRefusal(`The sheet ${name} of ${file} is empty.`);
      if (part !== undefined) tried.add(part);
    }
    const names = sheets.map(({ name }) => name);
    throw new FileRefusal(
      `The file ${file} has no sheet ${requested ?? 'with rows that is shown'}. Its sheets are: ${names.slice(0, namedSheetsMax).join(', ')}.`,
    );
  } finally {
    archive.close();
  }
}

/** Cells with their columns, from 0. */
type Row = { readonly number: number; readonly cells: readonly (readonly [number, Exclude<Cell, null>])[] };

/** Yields rows with row numbers from 1. The reader returns two rows for each: its cells, and their columns. */
async function* rowsOf({ bytes }: SheetReader): AsyncGenerator<Row> {
  let first: { readonly index: number; readonly values: readonly unknown[] } | undefined;
  for await (const row of streamXlsxRows(bytes, { sheet: readerSheet })) {
    if (first) {
      const [list] = row.values;
      const columns = typeof list === 'string' ? list.split(',').map(Number) : undefined;
      const cells = first.values.map((value, at) => [columns?.[at] ?? at, value] as const);
      yield { number: first.index + 1, cells: cells as Row['cells'] };
    }
    first = first ? undefined : row;
  }
}

type Shape = Pick<WrittenSheet, 'hasHeader' | 'columns'>;
/** `rowCount`: rows without the header. `widest`: number of the first row with a cell in the last column. */
type DetectedShape = Shape & { readonly rowCount: number; readonly widest: number };

async function shapeOf(reader: SheetReader, hasHeader: boolean | undefined): Promise<DetectedShape> {
  const kinds: Set<SheetKind>[] = [];
  const header: (Exclude<Cell, null> | undefined)[] = [];
  let isHeader = false;
  let [rowCount, widest] = [0, 0];
  let isFirst = true;
  for await (const { number, cells } of rowsOf(reader)) {
    if (isFirst) isHeader = hasHeader ?? cells.every(([, cell]) => typeof cell === 'string');
    if (!(isFirst && isHeader)) rowCount += 1;
    for (const [column, cell] of cells) {
      if (column >= kinds.length) widest = number;
      kinds[column] ??= new Set();
      const kind = kindOf(cell, reader.calendar, { row: number, column });
      if (isFirst && isHeader) header[column] = cell;
      else kinds[column].add(kind);
    }
    isFirst = false;
  }
  const names = Array.from({ length: kinds.length }, (_, at) => {
    const cell = header[at];
    const name = cell === undefined ? '' : textOf(cell, 'VARCHAR', reader.calendar).trim();
    return name === '' ? `column${at}` : name;
  });
  const distinct = distinctNames(names, (name) => name.toLowerCase());
  const columns = distinct.map((name, at) => ({ name, type: typeOf(kinds[at] ?? new Set()) }));
  return { hasHeader: isHeader, columns, rowCount, widest };
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
      const texts: string[] = new Array(columns.length).fill('');
      for (const [column, cell] of cells) {
        const text = textOf(cell, columns[column]?.type ?? 'VARCHAR', reader.calendar);
        texts[column] = `"${text.replaceAll('"', '""')}"`;
      }
      yield `${texts.join(',')}\n`;
    }
    isHeader = false;
  }
}
