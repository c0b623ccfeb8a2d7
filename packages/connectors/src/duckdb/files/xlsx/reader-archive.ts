import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type Archive, damaged } from './archive.ts';
import type { Calendar } from './cells.ts';
import { elapsedFormatId, plainFormatId, soundFormat } from './number-formats.ts';
import { WrittenPart } from './written-part.ts';
import { escapeXml, runsXml } from './xml.ts';

/** Parts that the sheets of a workbook share, in the form for the reader. */
export type SharedParts = {
  readonly texts: readonly Buffer[];
  readonly textCount: number;
  readonly styles: readonly Buffer[];
  readonly styleCount: number;
};

/** Name of the only sheet of the archive for the reader. */
export const readerSheet = 'Sheet';
const compressionLevel = 1;
const textElements = { sst: { si: { t: {}, r: { t: {} } } } };
const styleElements = { styleSheet: { numFmts: { numFmt: {} }, cellXfs: { xf: {} } } };
const formatsMax = 100_000;
const wholeNumber = /^\d{1,10}$/;

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`;
const fixedParts: readonly (readonly [string, string])[] = [
  ['[Content_Types].xml', '<Types/>'],
  [
    '_rels/.rels',
    `<Relationships>${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${relationship('rId1', 'worksheet', 'sheet.xml')}${relationship('rId2', 'sharedStrings', 'texts.xml')}${relationship('rId3', 'styles', 'styles.xml')}</Relationships>`,
  ],
];

/**
 * Writes the shared texts and the number formats of a workbook for the reader.
 *
 * @throws FileRefusal if they are damaged
 */
export async function writeSharedParts(
  archive: Archive,
  parts: { readonly sharedTexts: string | undefined; readonly styles: string | undefined },
): Promise<SharedParts> {
  const { texts, textCount } = await writeTexts(archive, parts.sharedTexts);
  const { styles, styleCount } = await writeStyles(archive, parts.styles);
  return { texts, textCount, styles, styleCount };
}

/** Writes the shared texts without fonts and phonetic runs. */
async function writeTexts(
  archive: Archive,
  part: string | undefined,
): Promise<Pick<SharedParts, 'texts' | 'textCount'>> {
  const written = new WrittenPart(archive.file);
  let textCount = 0;
  let runs: string[] = [];
  written.add('<sst>');
  if (part !== undefined)
    await archive.readPart(part, textElements, {
      open: (name) => {
        if (name !== 'si') return;
        textCount += 1;
        runs = [];
      },
      close: (name, text) => {
        if (name === 't') runs.push(text);
        else if (name === 'si') written.add(`<si>${runsXml(runs)}</si>`);
      },
    });
  written.add('</sst>');
  return { texts: written.pieces(), textCount };
}

/** Writes the number formats, and the format of each style of cells. */
async function writeStyles(
  archive: Archive,
  part: string | undefined,
): Promise<Pick<SharedParts, 'styles' | 'styleCount'>> {
  const formats: string[] = [];
  const styles: string[] = [];
  if (part !== undefined)
    await archive.readPart(part, styleElements, {
      open: (name, attributes) => {
        if (name !== 'numFmt' && name !== 'xf') return;
        const id = attributes['numFmtId']?.value ?? '0';
        const code = attributes['formatCode']?.value ?? '';
        if (!wholeNumber.test(id) || formats.length + styles.length > formatsMax) throw damaged(archive.file);
        if (name === 'numFmt')
          formats.push(`<numFmt numFmtId="${id}" formatCode="${escapeXml(soundFormat(code))}"/>`);
        else styles.push(`<xf numFmtId="${id === elapsedFormatId ? plainFormatId : id}"/>`);
      },
    });
  const written = new WrittenPart(archive.file);
  written.add(`<styleSheet><numFmts>${formats.join('')}</numFmts>`);
  written.add(`<cellXfs>${styles.join('')}</cellXfs></styleSheet>`);
  return { styles: written.pieces(), styleCount: styles.length };
}

/**
 * Returns an archive with one sheet. The reader receives no text of the file that we have not parsed and written
 * anew. The parts are compressed, because the reader reads an uncompressed sheet in one piece, with all its rows in
 * memory.
 */
export function packSheet(
  sheet: readonly Buffer[],
  { texts, styles }: SharedParts,
  calendar: Calendar,
): Promise<Buffer> {
  const properties = calendar === '1904' ? '<workbookPr date1904="1"/>' : '';
  const workbook = `<workbook>${properties}<sheets><sheet name="${readerSheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  const zip = new ZipFile();
  const add = (name: string, pieces: readonly Buffer[]) =>
    zip.addReadStream(Readable.from(pieces), name, { compressionLevel });
  for (const [name, xml] of fixedParts) add(name, [Buffer.from(xml)]);
  add('xl/workbook.xml', [Buffer.from(workbook)]);
  add('xl/texts.xml', texts);
  add('xl/styles.xml', styles);
  add('xl/sheet.xml', sheet);
  zip.end();
  return buffer(zip.outputStream);
}
