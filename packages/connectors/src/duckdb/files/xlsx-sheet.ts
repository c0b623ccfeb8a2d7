import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { fromBufferPromise } from 'yauzl';
import { distinctNames } from '../../distinct-names.ts';
import type { DecodedFile } from './decoded-file.ts';
import { FileRefusal } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** A sheet that was written as a CSV file: its name, its columns, and whether its first row has their names. */
export type WrittenSheet = {
  readonly sheet: string;
  readonly hasHeader: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
};

/** An archive may hold this many times its size, as sheets of few different values do. */
const unpackedPerPacked = 200;
const unpackedBytesMin = 16 * 1_048_576;
const unpackedBytesMax = 512 * 1_048_576;
const dayMs = 86_400_000;
/** Times without a day have the day 0 of Excel's calendar. */
const firstDayMs = Date.UTC(1900, 0, 1);

/**
 * Writes one sheet of an XLSX file as CSV. A column has another type than text only if each of its cells has the same
 * kind: whole numbers, numbers, booleans, days, times. Numbers of a sheet are doubles, whatever digits the file has.
 *
 * @throws FileRefusal for a file that is too large, that is no XLSX, or that has no such sheet.
 */
export async function writeSheet(
  from: string,
  { sheet: wanted, hasHeader }: FileSettings,
  to: DecodedFile,
): Promise<WrittenSheet> {
  const file = basename(from);
  const bytes = await readFile(from);
  await assertUnpackable(bytes, file);
  try {
    const sheet = await sheetOf(bytes, file, wanted);
    const shape = await shapeOf(rowsOf(bytes, sheet), hasHeader);
    if (!shape) throw new FileRefusal(`The sheet ${sheet} of ${file} is empty.`);
    const size = { left: to.bytesMax };
    await pipeline(
      async function* () {
        let isHeader = shape.hasHeader;
        for await (const row of rowsOf(bytes, sheet)) {
          if (!isHeader) {
            const line = `${shape.columns.map(({ type }, at) => csvCell(row[at] ?? null, type)).join(',')}\n`;
            size.left -= line.length;
            if (size.left < 0) throw tooLarge(file, to.bytesMax);
            yield line;
          }
          isHeader = false;
        }
      },
      createWriteStream(to.path, { flags: 'w', mode: 0o600 }),
    );
    return { sheet, ...shape };
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw new FileRefusal(`The file ${file} cannot be read as XLSX. Save it again in a spreadsheet program.`);
  }
}

const bytesPerMb = 1_048_576;

const tooLarge = (file: string, bytesMax: number): FileRefusal =>
  new FileRefusal(
    `The file ${file} has more than the ${Math.floor(bytesMax / bytesPerMb)} MB that are unpacked. Save the sheet as CSV.`,
  );

/** What the archive says of its own size. One that lies is stopped by the limits of the process. */
async function assertUnpackable(bytes: Buffer, file: string): Promise<void> {
  const limit = Math.min(Math.max(bytes.length * unpackedPerPacked, unpackedBytesMin), unpackedBytesMax);
  const archive = await fromBufferPromise(bytes, { lazyEntries: true }).catch(() => {
    throw new FileRefusal(`The file ${file} is not an XLSX file.`);
  });
  let unpacked = 0;
  for await (const entry of archive.eachEntry()) unpacked += entry.uncompressedSize;
  if (unpacked > limit) throw tooLarge(file, limit);
}

async function sheetOf(bytes: Buffer, file: string, wanted: string | undefined): Promise<string> {
  const names: string[] = [];
  await readXlsx(bytes, { sheets: ({ name }) => names.push(name) < 0 });
  const [first] = names;
  if (first === undefined) throw new FileRefusal(`The file ${file} has no sheet.`);
  if (wanted === undefined || names.includes(wanted)) return wanted ?? first;
  throw new FileRefusal(`The file ${file} has no sheet ${wanted}. Its sheets are: ${names.join(', ')}.`);
}

type Cell = string | number | boolean | Date | null;

/** Rows that have a value. */
async function* rowsOf(bytes: Buffer, sheet: string): AsyncGenerator<readonly Cell[]> {
  for await (const { values } of streamXlsxRows(bytes, { sheet }))
    if (values.some((value) => value !== null)) yield values as readonly Cell[];
}

type Kind = 'text' | 'boolean' | 'whole' | 'number' | 'day' | 'moment' | 'time';

function kindOf(cell: Exclude<Cell, null>): Kind {
  if (typeof cell === 'string') return 'text';
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'whole' : 'number';
  if (cell.getTime() < firstDayMs) return 'time';
  return cell.getTime() % dayMs === 0 ? 'day' : 'moment';
}

/** Types by the kinds that they hold, the narrowest first. */
const types: readonly (readonly [string, readonly Kind[]])[] = [
  ['BOOLEAN', ['boolean']],
  ['BIGINT', ['whole']],
  ['DOUBLE', ['whole', 'number']],
  ['DATE', ['day']],
  ['TIMESTAMP', ['day', 'moment']],
  ['TIME', ['time']],
];

const typeOf = (kinds: ReadonlySet<Kind>): string =>
  (kinds.size > 0 && types.find(([, held]) => [...kinds].every((kind) => held.includes(kind)))?.[0]) ||
  'VARCHAR';

async function shapeOf(
  rows: AsyncIterable<readonly Cell[]>,
  hasHeader: boolean | undefined,
): Promise<Omit<WrittenSheet, 'sheet'> | undefined> {
  const kinds: Set<Kind>[] = [];
  let first: readonly Cell[] | undefined;
  let isHeader = false;
  for await (const row of rows) {
    if (first === undefined) {
      first = row;
      isHeader = hasHeader ?? row.every((cell) => cell === null || typeof cell === 'string');
      for (const _cell of row) kinds.push(new Set());
      if (isHeader) continue;
    }
    for (const [at, cell] of row.entries()) {
      kinds[at] ??= new Set();
      if (cell !== null) kinds[at].add(kindOf(cell));
    }
  }
  if (first === undefined) return undefined;
  const header = isHeader ? first : [];
  const names = kinds.map((_, at) => {
    const name = String(header[at] ?? '').trim();
    return name === '' ? `column${at}` : name;
  });
  const distinct = distinctNames(names, (name) => name.toLowerCase());
  const columns = kinds.map((held, at) => ({ name: distinct[at] ?? '', type: typeOf(held) }));
  return { hasHeader: isHeader, columns };
}

/** An empty text is quoted, NULL is not. */
function csvCell(cell: Cell, type: string): string {
  if (cell === null) return '';
  const text = cell instanceof Date ? timeText(cell, type) : String(cell);
  return `"${text.replaceAll('"', '""')}"`;
}

function timeText(time: Date, type: string): string {
  const [day = '', clock = ''] = time.toISOString().slice(0, -1).replace(/\.000$/, '').split('T');
  const kind = kindOf(time);
  if (kind === 'time') return clock;
  return kind === 'day' && type !== 'TIMESTAMP' ? day : `${day}T${clock}`;
}
