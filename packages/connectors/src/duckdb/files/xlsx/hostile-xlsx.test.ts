import { describe, expect, it } from 'vitest';
import { useFileFolder } from '../../../testing/file-source.ts';
import { errorOf, rowsOf } from '../../../testing/results.ts';
import { type SheetPart, sheetXml, xlsxArchive } from '../../../testing/xlsx-archive.ts';

const { execute, written } = useFileFolder();

/** Reads a file with the bytes. */
const read = async (bytes: Buffer, sql = 'select * from f', settings = {}) =>
  rowsOf(await execute([{ ...written('f.xlsx', bytes), ...settings }], sql));
const readSheets = async (
  sheets: readonly SheetPart[],
  others: Readonly<Record<string, string | Buffer>> = {},
) => read(await xlsxArchive(sheets, others));
const readSheet = (xml: string) => readSheets([{ name: 'Data', xml }]);
const messageOf = async (rows: Promise<unknown>) => (await errorOf(rows)).message;

const damaged = 'The file f.xlsx is damaged. Save it again in a spreadsheet program.';
const wide = '<row r="1"><c r="A1"><v>1</v></c></row>';
const inline = (text: string) => `<row><c t="inlineStr"><is>${text}</is></c></row>`;

describe('an XLSX file whose XML is ill-formed is refused as damaged:', () => {
  const illFormed: Readonly<Record<string, string>> = {
    'an attribute occurs twice': sheetXml('<row><c r="A1" r="XFD1"><v>1</v></c></row>'),
    'an attribute has no quotes': sheetXml('<row><c r=XFD1><v>1</v></c></row>'),
    'no blank separates two attributes': sheetXml('<row><c s="0"r="XFD1"><v>1</v></c></row>'),
    'a prefix has no namespace': sheetXml('<row><a-b:c r="XFD1"><v>1</v></a-b:c></row>'),
    'a document type declares entities': `<!DOCTYPE worksheet [<!ENTITY a "1">]>${sheetXml(wide)}`,
    'an entity has no declaration': sheetXml('<row><c><v>&one;</v></c></row>'),
    'a phonetic run has no end': sheetXml(inline('<rPh><t>a</t>')),
    'the end tag of the sheet is missing': sheetXml(wide).replace('</worksheet>', ''),
    'a tag is longer than 1 MB': sheetXml(`<row spans="${' '.repeat(1_300_000)}"/>${wide}`),
    'a cell text is longer than 1 MB': sheetXml(inline(`<t>${'a'.repeat(1_300_000)}</t>`)),
    'a text consists of many long sections': sheetXml(
      inline(`<t>${`<x/>${'a'.repeat(1_000)}`.repeat(1_200)}</t>`),
    ),
    'elements are nested too deeply': sheetXml(`${'<x>'.repeat(200)}${'</x>'.repeat(200)}${wide}`),
    'a cell is after the last column': sheetXml('<row><c r="XFE1"><v>1</v></c></row>'),
    'a row is after the last row': sheetXml('<row r="1048577"><c><v>1</v></c></row>'),
    'the part has no worksheet': '<chartsheet/>',
    'the declared encoding is not UTF-8': `<?xml version="1.0" encoding="UTF-16"?>${sheetXml(wide)}`,
  };
  it.each(Object.entries(illFormed))('%s', async (_title, xml) => {
    expect(await messageOf(readSheet(xml))).toBe(damaged);
  });

  it('a byte is not UTF-8', async () => {
    const bytes = Buffer.from(sheetXml(inline('<t>a\u00ff</t>')), 'latin1');
    expect(
      await messageOf(readSheets([{ name: 'Data', xml: '' }], { 'xl/worksheets/sheet1.xml': bytes })),
    ).toBe(damaged);
  });

  it('two parts have equal names', async () => {
    const xml = sheetXml(wide);
    expect(await messageOf(readSheets([{ name: 'Data', xml }], { 'XL/worksheets/Sheet1.xml': xml }))).toBe(
      damaged,
    );
  });
});

describe('an XLSX file', () => {
  it('retains text that looks like a tag in a CDATA section', async () => {
    const text = 'a<rPh sb="0"><t>b</t></rPh>c & d';
    const rows = await readSheet(sheetXml(`${inline('<t>h</t>')}${inline(`<t><![CDATA[${text}]]></t>`)}`));
    expect(rows).toEqual([[text]]);
  });

  it('retains the carriage returns of a text in its first row, and in later rows', async () => {
    const texts = ['a_x000D_\nb', 'c&#13;d', 'e\nf'];
    const rows = texts.map((text) => `<row><c t="str"><v>${text}</v></c></row>`);
    const bytes = await xlsxArchive([{ name: 'Data', xml: sheetXml(rows.join('')) }]);
    expect(await read(bytes, 'select * from f', { hasHeader: false })).toEqual([
      ['a\r\nb'],
      ['c\rd'],
      ['e\nf'],
    ]);
  });

  it('is read by its characters, not by their forms in XML', async () => {
    const rows =
      '<row r="&#49;"><c r="&#66;1" t="&#115;tr"><v>h</v></c></row><row><c r="B2"><v>1<!-- 2 --><?p 3?>4</v></c></row>';
    expect(await readSheet(sheetXml(rows))).toEqual([[null, 14]]);
    const prefixed = `<a-b:worksheet xmlns:a-b="m">${sheetXml(rows).slice(11, -12)}</a-b:worksheet>`;
    expect(await readSheet(prefixed.replaceAll(/<(\/?)(?=sheetData|row|c[ >]|v>)/g, '<$1a-b:'))).toEqual([
      [null, 14],
    ]);
  });

  it('ignores elements of other namespaces, and elements outside their places', async () => {
    const other =
      '<x:row><x:c><x:v>9</x:v></x:c></x:row><row><row><c><v>8</v></c></row><c><v>1</v></c></row>';
    expect(
      await readSheet(`<worksheet xmlns:x="x">${wide}<sheetData>${other}</sheetData></worksheet>`),
    ).toEqual([[1]]);
  });

  it('is read regardless of faults in sheets that are not read', async () => {
    const run = '<rPh><t>a</t>';
    const far = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(1_000);
    for (const xml of [sheetXml(inline(run)), sheetXml(far), 'no XML'])
      expect(
        await readSheets([
          { name: 'Data', xml: sheetXml(wide) },
          { name: 'Other', xml },
        ]),
      ).toEqual([[1]]);
  });

  it('with few cells in 1,000 columns is read, also if it has many rows', async () => {
    const header = Array.from({ length: 1_000 }, (_, at) => `<c t="str"><v>c${at}</v></c>`).join('');
    const rows = Array.from(
      { length: 8_000 },
      (_, at) =>
        `<row r="${at + 2}"><c r="A${at + 2}"><v>${at}</v></c><c r="ALL${at + 2}"><v>1</v></c></row>`,
    );
    const bytes = await xlsxArchive([
      { name: 'Data', xml: sheetXml(`<row r="1">${header}</row>${rows.join('')}`) },
    ]);
    expect(
      await read(bytes, 'select count(*)::int, sum(c0)::int, sum(c999)::int, count(c1)::int from f'),
    ).toEqual([[8_000, 31_996_000, 8_000, 0]]);
  });

  it('with a cell in the last column of every row is refused by sheet, row and column', async () => {
    const rows = Array.from(
      { length: 40_000 },
      (_, at) => `<row r="${at + 1}"><c r="${at === 6 ? 'XFD' : 'A'}${at + 1}"><v>1</v></c></row>`,
    );
    const error = await errorOf(readSheet(sheetXml(rows.join(''))));
    expect(error).toMatchObject({ code: 'file-unreadable' });
    expect(error.message).toBe(
      'Row 7 of the sheet Data in the file f.xlsx has a cell in the column XFD. The empty cells of all rows before this column exceed the 512 MB that can be converted. Move the cells next to each other.',
    );
  });

  it('with more columns than the engine can read is refused with the limit', async () => {
    const full = (width: number, cell: string) =>
      readSheet(
        sheetXml(`<row>${'<c t="str"><v>h</v></c>'.repeat(width)}</row><row>${cell.repeat(width)}</row>`),
      );
    const texts = '<c t="str"><v>a</v></c>';
    expect(await messageOf(full(5_000, texts))).toMatch(
      /^The sheet Data in the file f\.xlsx has 5,000 columns, more than the memory of the engine can hold\. At most [\d,]+ columns of text, or [\d,]+ columns of numbers, can be read\. Divide the sheet\.$/,
    );
    expect(await messageOf(full(16_384, '<c><v>1</v></c>'))).toContain('has 16,384 columns');
    expect((await full(3_000, texts))[0]).toHaveLength(3_000);
  });
});
