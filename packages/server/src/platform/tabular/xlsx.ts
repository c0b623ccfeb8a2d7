import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { TabularBatch, TabularColumn } from './cell-text.ts';

/** Rows of a sheet at most, the heading included: what spreadsheets can open. */
const sheetRowsMax = 1_048_576;
/** Characters of a cell at most: what spreadsheets can open. */
const cellCharactersMax = 32_767;

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of a workbook that are the same for every file. */
const fixedParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Result" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
};

/**
 * Writes batches as a workbook of one sheet, streamed: typed cells, texts never formulas, control characters left out.
 *
 * @throws RangeError while writing when there are more rows than a sheet can hold.
 */
export function xlsxOf(columns: readonly TabularColumn[], batches: AsyncIterable<TabularBatch>): Readable {
  const zip = new ZipFile();
  for (const [name, xml] of Object.entries(fixedParts)) zip.addBuffer(Buffer.from(xmlHead + xml), name);
  const sheet = Readable.from(sheetOf(columns, batches), { objectMode: false });
  const out = new PassThrough();
  sheet.on('error', (error) => out.destroy(error));
  out.on('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  zip.outputStream.on('error', (error: Error) => out.destroy(error));
  zip.outputStream.pipe(out);
  return out;
}

async function* sheetOf(
  columns: readonly TabularColumn[],
  batches: AsyncIterable<TabularBatch>,
): AsyncGenerator<string> {
  yield `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
  yield `<row>${columns.map((column) => textCell(column.name, ' s="1"')).join('')}</row>`;
  let rowCount = 1;
  for await (const batch of batches) {
    rowCount += batch.rowCount;
    if (rowCount > sheetRowsMax)
      throw new RangeError(`A sheet holds at most ${sheetRowsMax} rows. Choose CSV for a larger result.`);
    let rows = '';
    for (let index = 0; index < batch.rowCount; index += 1) {
      rows += `<row>${batch.columns.map((column) => cellOf(column[index] ?? null)).join('')}</row>`;
    }
    if (rows !== '') yield rows;
  }
  yield '</sheetData></worksheet>';
}

function cellOf(cell: string | number | boolean | null): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c t="b"><v>${cell ? 1 : 0}</v></c>`;
  return textCell(cell, '');
}

const textCell = (text: string, style: string): string =>
  `<c t="inlineStr"${style}><is><t xml:space="preserve">${encode(text.slice(0, cellCharactersMax))}</t></is></c>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
// Characters that XML 1.0 cannot hold, lone surrogates among them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const encode = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unwritable, '')
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
