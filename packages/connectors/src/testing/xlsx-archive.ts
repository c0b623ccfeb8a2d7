import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A sheet of a workbook: its name, the XML of its part, and its state. */
export type SheetPart = { readonly name: string; readonly xml: string; readonly state?: string };

/** Longer parts are compressed. */
const storedBytesMax = 1_000;

const relationshipsOf = (targets: readonly (readonly [string, string])[]): string =>
  `<Relationships>${targets
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${relationships}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** Returns the XML of a sheet with the XML of its rows. */
export const sheetXml = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

/**
 * Returns an XLSX archive with parts whose XML a test controls.
 *
 * @param others  additional or replaced parts, by their names. `xl/sharedStrings.xml` is always a part of the workbook.
 */
export function xlsxArchive(
  sheets: readonly SheetPart[],
  others: Readonly<Record<string, string | Buffer>> = {},
): Promise<Buffer> {
  const listed = sheets.map(
    ({ name, state = 'visible' }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
  );
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationshipsOf([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns:r="${relationships}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationshipsOf([
      ...sheets.map((_sheet, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': '<sst/>',
  };
  for (const [at, { xml }] of sheets.entries()) parts[`xl/worksheets/sheet${at + 1}.xml`] = xml;
  const zip = new ZipFile();
  for (const [name, content] of Object.entries({ ...parts, ...others }))
    zip.addBuffer(Buffer.from(content), name, { compress: content.length > storedBytesMax });
  zip.end();
  return buffer(zip.outputStream);
}
