import { inflateRawSync } from 'node:zlib';
import type { SheetCell } from './documented-form.ts';

/** Returns the fields of a CSV file, or of tab-separated text, as RFC 4180 reads them. */
export function delimitedRows(text: string, delimiter: ',' | '\t'): string[][] {
  const rows: string[][] = [];
  const field = new RegExp(
    `"([^"]*(?:""[^"]*)*)"(${delimiter}|\\r?\\n|$)|([^${delimiter}\\r\\n]*)(${delimiter}|\\r?\\n|$)`,
    'y',
  );
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [, quoted, afterQuotes, plain = '', after] = field.exec(text) ?? [];
    if (afterQuotes === undefined && after === undefined) throw new Error(`No field begins at ${at}.`);
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if ((afterQuotes ?? after) === delimiter) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const endSignature = 0x06054b50;

/** Returns the bytes of one member of a zip archive. */
function memberOf(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (archive.readUInt32LE(end) !== endSignature) throw new Error('The archive has no end.');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const size = archive.readUInt32LE(at + 20);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    );
    const start = archive.readUInt32LE(at + 42);
    if (archive.toString('utf8', at + 46, at + 46 + (nameLength ?? 0)) === name) {
      const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
      return inflateRawSync(archive.subarray(data, data + size));
    }
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  throw new Error(`The archive has no ${name}.`);
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#39': "'",
  '#96': '`',
};
export const decoded = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|#39|#96);/g, (_all, name: string) => entities[name] ?? '');

/** Decodes a text as spreadsheets do: XML normalizes line ends, and `_x000D_` is an escaped character. */
const sheetText = (xml: string): string =>
  decoded(xml.replaceAll(/\r\n?/g, '\n')).replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

const cellPattern =
  /<c r="([A-Z]+)\d+"(?: s="\d+")?(?: t="(\w+)")?>(?:<v>([^<]*)<\/v>|<is><t[^>]*>([^<]*)<\/t><\/is>)<\/c>/g;

function placeOf(letters: string): number {
  let place = 0;
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64;
  return place - 1;
}

/** Returns the cells of the rows below the heading of a workbook that the service wrote. */
export function sheetRows(archive: Buffer): (SheetCell | undefined)[][] {
  const xml = memberOf(archive, 'xl/worksheets/sheet1.xml').toString('utf8');
  const rows = xml.split('<row ').slice(2);
  return rows.map((row) => {
    const cells: (SheetCell | undefined)[] = [];
    for (const [, letters = '', type, value, text = ''] of row.matchAll(cellPattern))
      cells[placeOf(letters)] =
        value === undefined
          ? { type: 'text', value: sheetText(text) }
          : { type: type === 'b' ? 'boolean' : 'number', value };
    return cells;
  });
}

/** Returns the cells of the table in an email. */
export const mailRows = (html: string): string[][] =>
  (/<tbody>(.*)<\/tbody>/s.exec(html)?.[1] ?? '')
    .split('<tr>')
    .slice(1)
    .map((row) => [...row.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text = '']) => decoded(text)));
