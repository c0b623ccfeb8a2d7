import { PassThrough, Readable } from 'node:stream';
import { count, plural } from '@svc/contract';
import { ZipFile } from 'yazl';
import type { TabularBatch, TabularColumn, TimeKind } from './cell-text.ts';
import { numberText, serialText } from './number-text.ts';
import { serialOf } from './serial-time.ts';
import { createTextPieces } from './text-pieces.ts';

/** Maximum number of rows of a sheet, including the heading: the limit of spreadsheets. */
const sheetRowsMax = 1_048_576;
/** Maximum number of characters of a cell: the limit of spreadsheets. */
const cellCharactersMax = 32_767;
/** Half of the processor time of zlib's default, for a twentieth more bytes. */
const compressionLevel = 4;
/** Bytes per step, small enough that other work runs in between. */
const pieceBytes = 65_536;

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Thrown for more rows than a sheet can contain. */
export class SheetFullError extends RangeError {
  override readonly name = 'SheetFullError';
}

/** Parts of a workbook that are identical in every file. */
const fixedParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Result" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="4"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="167" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss&quot; UTC&quot;"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf/><xf fontId="1" applyFont="1"/>${[164, 165, 166, 167].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
};

/** Positions of the time styles in `cellXfs`. */
const timeStyles: Readonly<Record<TimeKind, number>> = { Date: 2, Time: 3, Timestamp: 4, UtcTimestamp: 5 };
const timeWidth = 22;

/**
 * Writes batches as a streamed workbook of one sheet. Numbers, times and booleans have native types. Texts are
 * never formulas, and control characters are format escapes. A text beyond 32,767 characters is cut and ends in a
 * mark.
 *
 * @throws SheetFullError while writing more rows than a sheet can contain.
 */
export function xlsxOf(columns: readonly TabularColumn[], batches: AsyncIterable<TabularBatch>): Readable {
  const zip = new ZipFile();
  for (const [name, xml] of Object.entries(fixedParts)) zip.addBuffer(Buffer.from(xmlHead + xml), name);
  const sheet = Readable.from(sheetOf(columns, batches), { objectMode: false });
  const out = new PassThrough();
  sheet.on('error', (error) => out.destroy(error));
  out.on('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { compressionLevel });
  zip.end();
  zip.outputStream.on('error', (error: Error) => out.destroy(error));
  zip.outputStream.pipe(out);
  return out;
}

async function* sheetOf(
  columns: readonly TabularColumn[],
  batches: AsyncIterable<TabularBatch>,
): AsyncGenerator<Buffer> {
  const { put, end } = createTextPieces(pieceBytes);
  yield* put(
    `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widthsOf(columns)}<sheetData>`,
  );
  // Readers need the address of a cell, although the format permits its absence.
  const starts = columns.map((_column, index) => `<c r="${columnLetters(index)}`);
  yield* put(
    `<row r="1">${columns.map((column, index) => `${starts[index]}1" s="1${textMiddle}${encode(column.name)}${textEnd}`).join('')}</row>`,
  );
  let rowCount = 1;
  for await (const batch of batches) {
    const firstRow = rowCount + 1;
    rowCount += batch.rowCount;
    if (rowCount > sheetRowsMax)
      throw new SheetFullError(
        `A sheet holds at most ${plural(sheetRowsMax, 'row')}. Choose CSV for a larger result.`,
      );
    for (let index = 0; index < batch.rowCount; index += 1)
      for (const piece of put(rowOf({ columns, starts, firstRow }, batch, index))) yield piece;
  }
  yield* put('</sheetData></worksheet>');
  yield* end();
}

/** Makes time columns wide enough. A spreadsheet would show hashes otherwise. */
function widthsOf(columns: readonly TabularColumn[]): string {
  const widths = columns.flatMap(({ time }, index) =>
    time ? `<col min="${index + 1}" max="${index + 1}" width="${timeWidth}" customWidth="1"/>` : [],
  );
  return widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`;
}

type Sheet = {
  readonly columns: readonly TabularColumn[];
  /** Start of a cell of each column, up to the column's letters. */
  readonly starts: readonly string[];
  /** First row of the batch in the sheet. */
  readonly firstRow: number;
};

// Each intermediate string becomes garbage. Fewer of them reduce the memory of a large file.
function rowOf({ columns, starts, firstRow }: Sheet, batch: TabularBatch, index: number): string {
  const row = numberText(firstRow + index);
  let cells = `<row r="${row}">`;
  for (let position = 0; position < columns.length; position += 1) {
    const cell = batch.columns[position]?.[index] ?? null;
    if (cell !== null) cells += starts[position] + row + restOfCell(cell, columns[position]);
  }
  return `${cells}</row>`;
}

/** Returns the name of a column: A to Z, AA, AB, … */
function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  return letters;
}

/**
 * Decimals of at most 15 digits, which spreadsheets show in full. Longer ones, and texts such as `007`, remain
 * text.
 */
const exactDecimal = /^-?(?=[\d.]{1,16}$)(?:0|[1-9]\d{0,14}|(?:0|[1-9]\d*)\.\d+)$/;

/** Returns the part of a cell after its address. */
function restOfCell(cell: string | number | boolean, column: TabularColumn | undefined): string {
  const time = column?.time;
  if (typeof cell === 'number') return `"><v>${numberText(cell)}</v></c>`;
  if (typeof cell === 'boolean') return cell ? '" t="b"><v>1</v></c>' : '" t="b"><v>0</v></c>';
  if (column?.isNumeric && exactDecimal.test(cell)) return `"><v>${cell}</v></c>`;
  const serial = time && serialOf(cell, time);
  if (time && serial !== undefined) return `" s="${timeStyles[time]}"><v>${serialText(serial)}</v></c>`;
  return textMiddle + encode(cell) + textEnd;
}

const textMiddle = '" t="inlineStr"><is><t xml:space="preserve">';
const textEnd = '</t></is></c>';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// Characters that XML 1.0 cannot contain, and the carriage return, which XML reads as a line feed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are escaped.
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** Text that spreadsheets read as an escaped character. */
const likeEscape = /_(?=x[\dA-Fa-f]{4}_)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are escaped.
const needsCare = /[&<>\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]|_x[\dA-Fa-f]{4}_/;

/** Returns the Office Open XML escape of a character: `_x000D_`. */
const escapeOf = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Encodes a text for a cell in XML. A cut text ends in a mark with its full length. */
function encode(text: string): string {
  const content = text.length > cellCharactersMax ? marked(text) : text;
  if (!needsCare.test(content)) return content;
  return content
    .toWellFormed()
    .replaceAll(likeEscape, '_x005F_')
    .replaceAll(unwritable, escapeOf)
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
}

function marked(text: string): string {
  const mark = `… [cut: the value has ${plural(text.length, 'character')}, a cell at most ${count(cellCharactersMax)}]`;
  const room = cellCharactersMax - mark.length;
  // A surrogate pair is one character and is not split.
  const end = (text.codePointAt(room - 1) ?? 0) > 0xffff ? room - 1 : room;
  return text.slice(0, end) + mark;
}
