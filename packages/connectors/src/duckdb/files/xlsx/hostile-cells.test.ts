import { describe, expect, it } from 'vitest';
import { useFileFolder } from '../../../testing/file-source.ts';
import { errorOf, rowsOf } from '../../../testing/results.ts';
import { sheetXml, xlsxArchive } from '../../../testing/xlsx-archive.ts';

const { execute, written } = useFileFolder();

const readSheet = async (rows: string, others = {}, settings = { hasHeader: false }) => {
  const bytes = await xlsxArchive([{ name: 'Data', xml: sheetXml(rows) }], others);
  return rowsOf(await execute([{ ...written('f.xlsx', bytes), ...settings }], 'select * from f'));
};
const refusalOf = async (rows: string, others = {}, settings = { hasHeader: false }) => {
  const { code, message } = (await errorOf(readSheet(rows, others, settings))) as Error & { code?: string };
  return `${code}: ${message}`;
};

/** Rows with a sound cell A1 and the tested cell A4. */
const fourth = (cell: string) => `<row><c><v>1</v></c></row><row r="4">${cell}</row>`;
const refusal = (reason: string, position = 'A4') =>
  `file-unreadable: The cell ${position} of the sheet Data in the file f.xlsx ${reason} Correct it in a spreadsheet program.`;

const reasons: Readonly<Record<string, readonly string[]>> = {
  'has a number that no number type can hold.': [
    ...['1e400', '-1e400', '1e-400', 'Infinity', 'NaN', 'INF', '0x10', '1 2', ' ', 'abc', '1,5'].map(
      (value) => `<c><v>${value}</v></c>`,
    ),
    '<c t="n"><v>1e400</v></c>',
  ],
  'has a truth value other than 0 and 1.': ['yes', '2', '', '-1', '1.0'].map(
    (value) => `<c t="b"><v>${value}</v></c>`,
  ),
  'has a value that does not fit its type.': [
    '<c t="inlineStr"><v>a</v></c>',
    '<c t="inlineStr"><is><t>a</t></is><v>b</v></c>',
    '<c t="str"><is><t>a</t></is></c>',
    '<c><is><t>a</t></is></c>',
    '<c t="s"><is><t>a</t></is></c>',
  ],
  'has several values.': [
    '<c><v>1</v><v>2</v></c>',
    '<c t="inlineStr"><is><t>a</t></is><is><t>b</t></is></c>',
  ],
  'refers to a text that the file does not have.': ['7', '-1', '0.5', 'a', '', '1e0'].map(
    (value) => `<c t="s"><v>${value}</v></c>`,
  ),
  'has an unreadable date.': ['2024', 'a', '', '45000'].map((value) => `<c t="d"><v>${value}</v></c>`),
  'has an unknown type.': ['<c t="x"><v>5</v></c>', '<c t="B"><v>1</v></c>'],
  'has a number format that the file does not have.': ['<c s="1"><v>5</v></c>'],
};

describe('a cell of an XLSX file is refused by its position if it', () => {
  it.each(Object.entries(reasons))('%s', async (reason, cells) => {
    for (const cell of cells) expect([cell, await refusalOf(fourth(cell))]).toEqual([cell, refusal(reason)]);
  });

  it.each([
    ['occurs twice', '<c r="A4"><v>1</v></c><c r="A4"><v>2</v></c>', 'A4', 'follows the cell A4.'],
    ['occurs twice without a value', '<c r="A4"><v>1</v></c><c r="a4"/>', 'a4', 'follows the cell A4.'],
    ['is out of order', '<c r="C4"><v>1</v></c><c r="B4"><v>2</v></c>', 'B4', 'follows the cell C4.'],
    ['has a reference to another row', '<c r="A5"><v>1</v></c>', 'A5', 'is in row 4.'],
    ['has a reference without a row', '<c r="A0"><v>1</v></c>', 'A0', 'is in row 4.'],
  ])('%s', async (_title, cells, position, reason) => {
    expect(await refusalOf(fourth(cells))).toBe(refusal(reason, position));
  });

  it('has a text with half of a surrogate pair, also in a header', async () => {
    const half = '<c t="str"><v>a_xD800_</v></c>';
    const message = (row: number) =>
      `file-unreadable: Row ${row} of the sheet has a text in its column 1 with half of a character. Correct it.`;
    expect(await refusalOf(fourth(half))).toBe(message(4));
    expect(await refusalOf(`<row>${half}</row>`, {}, { hasHeader: true })).toBe(message(1));
  });

  it('has a date that does not exist in a header', async () => {
    const styles = {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="a/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="a/styles" Target="styles.xml"/></Relationships>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>',
    };
    const far = '<row><c s="1"><v>1e300</v></c></row><row><c><v>1</v></c></row>';
    expect(await refusalOf(far, styles, { hasHeader: true })).toContain(
      'Row 1 of the sheet has a date in its column 1 that calendars do not have.',
    );
  });
});

describe('an XLSX file', () => {
  it.each(['<row r="2"><c><v>2</v></c></row>', '<row r="1"><c><v>2</v></c></row>'])(
    'is refused for a row that follows an equal or a later row: %s',
    async (row) => {
      const number = row.slice(8, 9);
      expect(await refusalOf(`<row r="2"><c><v>1</v></c></row>${row}`)).toBe(
        `file-unreadable: Row ${number} of the sheet Data in the file f.xlsx follows row 2. Save the file again in a spreadsheet program.`,
      );
    },
  );

  it('retains unusual but sound values', async () => {
    const cells = [
      '<c r="a1"><v> 1.5e3 </v></c>',
      '<c t="b"><v> 1 </v></c>',
      '<c t="b"><v>false</v></c>',
      '<c t="d"><v>2024-02-29T10:00:00</v></c>',
      '<c t="str"><v>_xD83D__xDE00__x005F_x000D_</v></c>',
      '<c t="s"><v> 0 </v></c>',
      '<c t="inlineStr"><is><t>a</t><r><t>b</t></r></is></c>',
      '<c s="0"><v>5e-324</v></c>',
      '<c t="e"><v>#N/A</v></c>',
      '<c t="b"/>',
    ];
    const texts = { 'xl/sharedStrings.xml': '<sst><si><t>c</t><r><t>d</t></r></si></sst>' };
    expect(await readSheet(`<row>${cells.join('')}</row>`, texts)).toEqual([
      [1_500, true, false, '2024-02-29T10:00:00', '😀_x000D_', 'cd', 'ab', 5e-324, '#N/A'],
    ]);
  });

  it('retains NUL in a text', async () => {
    expect(await readSheet('<row><c t="str"><v>a_x0000_b</v></c></row>')).toEqual([['a\0b']]);
  });
});
