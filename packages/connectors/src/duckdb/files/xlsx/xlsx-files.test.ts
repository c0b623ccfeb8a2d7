import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { useFileFolder } from '../../../testing/file-source.ts';
import { errorOf, rowsOf } from '../../../testing/results.ts';
import { sheetXml, xlsxArchive } from '../../../testing/xlsx-archive.ts';
import { soundFormat } from './number-formats.ts';

const folder = useFileFolder();
const place = (name: string) => path.join(folder.folder, name);
const written = async (name: string, sheets: Parameters<typeof writeXlsx>[0]['sheets']) =>
  folder.written(name, Buffer.from(await writeXlsx({ sheets })));
const execute = (file: object, sql: string) => folder.execute([file], sql);
const read = async (file: object, sql: string) => rowsOf(await execute(file, sql));

/** Returns a ZIP archive with one deflated file. */
function archiveOf(name: string, content: Buffer, statedBytes = content.length): Buffer {
  const packed = deflateRawSync(content);
  const fields = (signature: number, isCentral: boolean) => {
    const head = Buffer.alloc(isCentral ? 46 : 30);
    let at = head.writeUInt32LE(signature, 0);
    if (isCentral) at = head.writeUInt16LE(20, at);
    at = head.writeUInt16LE(20, at);
    at = head.writeUInt16LE(0, at);
    at = head.writeUInt16LE(8, at);
    at = head.writeUInt32LE(0, at);
    at = head.writeUInt32LE(crc32(content), at);
    at = head.writeUInt32LE(packed.length, at);
    at = head.writeUInt32LE(statedBytes, at);
    head.writeUInt16LE(name.length, at);
    return Buffer.concat([head, Buffer.from(name)]);
  };
  const local = Buffer.concat([fields(0x04034b50, false), packed]);
  const central = fields(0x02014b50, true);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

describe('an XLSX file', () => {
  it('has a column type only if every cell has it, and retains digits', async () => {
    const file = await written('typed.xlsx', [
      {
        name: 'Data',
        rows: [
          ['id', 'price', 'code', 'day', 'at', 'ok', 'mixed', 'gap'],
          [1, 1.1, '007', new Date('2024-02-29T00:00:00Z'), new Date('2024-01-01T13:30:15Z'), true, 5, null],
          [2, 3, '1.10', new Date('2024-03-01T00:00:00Z'), new Date('2024-01-02T00:00:00Z'), false, 'x', 'y'],
        ],
      },
    ]);
    const result = await execute(file, 'select * from typed');
    expect(result.columns.map(({ name, databaseType }) => [name, databaseType])).toEqual([
      ['id', 'bigint'],
      ['price', 'double'],
      ['code', 'varchar'],
      ['day', 'date'],
      ['at', 'timestamp'],
      ['ok', 'boolean'],
      ['mixed', 'varchar'],
      ['gap', 'varchar'],
    ]);
    expect(await rowsOf(result)).toEqual([
      [1, 1.1, '007', '2024-02-29', '2024-01-01T13:30:15', true, '5', null],
      [2, 3, '1.10', '2024-03-01', '2024-01-02T00:00:00', false, 'x', 'y'],
    ]);
  });

  it('retains texts with quotes, delimiters and line ends, and applies the configured types', async () => {
    const texts = ['a,b', 'say "x"', 'two\nlines', ' blank ', '=1+1'];
    const file = await written('texts.xlsx', [
      { name: 'Data', rows: [['text', 'n'], ...texts.map((text, index) => [text, index])] },
    ]);
    expect(
      await read({ ...file, types: [{ column: 'n', type: 'VARCHAR' }] }, 'select text, n from texts'),
    ).toEqual(texts.map((text, index) => [text, String(index)]));
    const misfit = await errorOf(
      read({ ...file, types: [{ column: 'text', type: 'DATE' }] }, 'select * from texts'),
    );
    expect(misfit).toMatchObject({ code: 'file-unreadable' });
    expect(misfit.message).toContain(
      'Row 2 of texts.xlsx has a value in the column text that changes as DATE.',
    );
    const gaps = await written('gaps.xlsx', [{ name: 'Data', rows: [[], ['n'], [1], [], [], [2], ['x']] }]);
    const types = [{ column: 'n', type: 'BIGINT' }];
    expect((await errorOf(read({ ...gaps, types }, 'select * from gaps'))).message).toContain(
      'Row 7 of gaps.xlsx has a value in the column n that changes as BIGINT.',
    );
    const bare = { ...gaps, hasHeader: false, types: [{ column: 'column0', type: 'BIGINT' }] };
    expect((await errorOf(read(bare, 'select * from gaps'))).message).toContain('Row 2 of gaps.xlsx');
  });

  it('without a header, with equal names or with additional cells has a name for each column', async () => {
    const bare = await written('bare.xlsx', [
      {
        name: 'Data',
        rows: [
          [1, 'a'],
          [2, 'b', 'c'],
        ],
      },
    ]);
    expect((await execute(bare, 'select * from bare')).columns.map(({ name }) => name)).toEqual([
      'column0',
      'column1',
      'column2',
    ]);
    const equal = await written('equal.xlsx', [
      {
        name: 'Data',
        rows: [
          ['a', 'A', ''],
          [1, 2, 3],
        ],
      },
    ]);
    expect((await execute(equal, 'select * from equal')).columns.map(({ name }) => name)).toEqual([
      'a',
      'A_2',
      'column2',
    ]);
  });

  it('is refused if it is empty, not an archive, or too large when decompressed', async () => {
    const empty = await written('empty.xlsx', [{ name: 'Nothing', rows: [] }]);
    expect((await errorOf(read({ ...empty, sheet: 'Nothing' }, 'select * from empty'))).message).toBe(
      'The sheet Nothing of empty.xlsx is empty.',
    );
    expect((await errorOf(read(empty, 'select * from empty'))).message).toContain(
      'has no sheet with rows that is shown',
    );
    writeFileSync(place('text.xlsx'), 'id\n1\n');
    expect(
      (await errorOf(read({ name: 'text', path: place('text.xlsx') }, 'select * from text'))).message,
    ).toBe('The file text.xlsx is not an XLSX file.');
    const zeros = Buffer.alloc(160 * 1_048_576);
    const messageOf = async (name: string, content: Buffer) => {
      writeFileSync(place(`${name}.xlsx`), content);
      return (await errorOf(read({ name, path: place(`${name}.xlsx`) }, `select * from ${name}`))).message;
    };
    expect(await messageOf('bomb', archiveOf('xl/workbook.xml', zeros))).toBe(
      'The file bomb.xlsx has more than 128 MB unpacked, the limit of XLSX files. Save the sheet as CSV.',
    );
    for (const stated of [0, 1_000])
      expect(await messageOf('liar', archiveOf('xl/workbook.xml', zeros, stated))).toContain('is damaged');
    expect(await messageOf('secret', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toContain('with a password');
  });

  it('is not read if no statement uses it, so its faults do not affect other files', async () => {
    writeFileSync(place('faulty.xlsx'), 'text');
    writeFileSync(place('sound.csv'), 'id\n1\n');
    const files = [
      { name: 'faulty', path: place('faulty.xlsx') },
      { name: 'sound', path: place('sound.csv') },
    ];
    expect(await rowsOf(await folder.execute(files, 'select id from sound'))).toEqual([[1]]);
  });

  it('reads currency cells as numbers, for any symbol, and durations over a day as days', async () => {
    const formats = [
      '[$€-407] #,##0.00',
      '[$S/-280A] 0.00',
      '#,##0.00\\ [$Kčs d-405]',
      '[h]:mm:ss',
      '[Red]0.0',
    ];
    const names = ['euro', 'sol', 'crown', 'duration', 'red'];
    const file = await written('formats.xlsx', [
      {
        name: 'Data',
        columns: names.map((key, at) => ({ key, header: key, numFmt: formats[at] ?? '' })),
        data: [{ euro: 1234.5, sol: 2, crown: 3.25, duration: 62.5, red: 0.5 }],
      },
    ]);
    expect(await read(file, 'select * from formats')).toEqual([[1234.5, 2, 3.25, 62.5, 0.5]]);
  });

  it('retains times of day and days of 1900, and refuses a date that does not exist', async () => {
    const epochMs = Date.UTC(1899, 11, 31);
    const at = (hours: number) => new Date(epochMs + hours * 3_600_000);
    const file = await written('times.xlsx', [
      {
        name: 'Data',
        rows: [
          ['time', 'early'],
          [at(13.5), at(24)],
          [at(0), at(36)],
        ],
      },
    ]);
    expect(await read(file, 'select "time", early from times')).toEqual([
      ['13:30:00', '1900-01-01T00:00:00'],
      ['00:00:00', '1900-01-01T12:00:00'],
    ]);
    for (const day of [new Date(Date.UTC(1900, 1, 28)), new Date(Date.UTC(1899, 0, 1))]) {
      const none = await written('none.xlsx', [{ name: 'Data', rows: [['day'], [1], [day]] }]);
      expect((await errorOf(read(none, 'select * from none'))).message).toContain(
        'Row 3 of the sheet has a date in its column 1 that calendars do not have.',
      );
    }
  });

  it('is read in time that grows less than quadratically with its size, for hostile number formats', async () => {
    const growth = (unit: string): number => {
      const stepsOf = (count: number) => {
        const before = process.cpuUsage();
        soundFormat(unit.repeat(count));
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      stepsOf(1_000);
      return stepsOf(200_000) / Math.max(20_000, stepsOf(50_000));
    };
    for (const unit of ['[$', '[$a', '"a', '\\', '[h']) expect(growth(unit)).toBeLessThan(10);
  });

  it('has the stored values of formulas, errors and truth values, spaces, and dates of the 1904 calendar', async () => {
    const cells = [
      '<c t="str"><f>A1&amp;"x"</f><v> a_x0041_ </v></c>',
      '<c t="str"><f>A1</f></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="inlineStr"><is><t xml:space="preserve"> b </t></is></c>',
      '<c s="1"><v>1</v></c>',
      '<c s="2"><v>1.5</v></c>',
      '<c t="s"/>',
    ];
    const parts = {
      'xl/workbook.xml':
        '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="1"/><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="a/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="rId2" Type="a/styles" Target="./styles.xml"/></Relationships>',
      'xl/styles.xml':
        '<styleSheet><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="46"/></cellXfs></styleSheet>',
    };
    const row = sheetXml(`<row>${cells.join('')}</row>`);
    writeFileSync(place('kinds.xlsx'), await xlsxArchive([{ name: 'Data', xml: row }], parts));
    const file = { name: 'kinds', path: place('kinds.xlsx'), hasHeader: false };
    expect(await read(file, 'select * from kinds')).toEqual([
      [' aA ', null, 2, '#DIV/0!', true, ' b ', '1904-01-02', 1.5],
    ]);
  });

  it('has no phonetic runs in its texts, whether they are shared or in the cell', async () => {
    const run =
      '<x:rPh sb="0" eb="2"><x:t>トウキョウ</x:t></x:rPh><rPh sb="0" eb="2"><t>カナ</t></rPh><phoneticPr fontId="1"/>';
    const cell = (row: number, text: string) =>
      `<row r="${row}"><c r="A${row}" t="inlineStr"><is>${text}</is></c></row>`;
    const texts = ['<t>name</t>', `<t>東京</t>${run}`, '<t>x</t>', `<r><t>東</t></r><r><t>京</t></r>${run}`];
    const rows = texts.map(
      (_text, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${at}</v></c></row>`,
    );
    const shared = await xlsxArchive([{ name: 'Data', xml: sheetXml(rows.join('')) }], {
      'xl/sharedStrings.xml': `<sst xmlns:x="x">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    });
    const cells = [cell(1, '<t>name</t>'), ...[2, 3].map((row) => cell(row, texts[row === 2 ? 1 : 3] ?? ''))];
    const inline = await xlsxArchive([
      {
        name: 'Data',
        xml: `<worksheet xmlns:x="x"><sheetData>${cells.join('')}${cell(4, `${run}<t>after</t>`)}</sheetData></worksheet>`,
      },
    ]);
    writeFileSync(place('shared.xlsx'), shared);
    writeFileSync(place('inline.xlsx'), inline);
    const namesOf = (name: string) => read({ name, path: place(`${name}.xlsx`) }, `select name from ${name}`);
    expect(await namesOf('shared')).toEqual([['東京'], ['x'], ['東京']]);
    expect(await namesOf('inline')).toEqual([['東京'], ['東京'], ['after']]);
  });

  it('is refused if its first sheet is damaged, and the next sheet does not replace it', async () => {
    const second = { name: 'Second', xml: sheetXml('<row><c><v>2</v></c></row>') };
    const file = { name: 'damaged', path: place('damaged.xlsx') };
    const archiveWith = (xml: string) => xlsxArchive([{ name: 'First', xml }, second]);
    const cut = await archiveWith('<worksheet><sheetData><row><c><v>1</v></c></row>');
    // The stored part has another content than its checksum states.
    const changed = await archiveWith(
      '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
    );
    changed.write('<v>9', changed.indexOf('<v>1'));
    for (const bytes of [cut, changed]) {
      writeFileSync(file.path, bytes);
      expect((await errorOf(read(file, 'select * from damaged'))).message).toContain(
        'The file damaged.xlsx is damaged.',
      );
    }
  });

  it('is read by its first visible sheet, or by a hidden sheet if configured', async () => {
    const file = await written('hidden.xlsx', [
      { name: 'Hidden', hidden: true, rows: [['a'], ['hidden']] },
      { name: 'Empty', rows: [] },
      { name: 'Shown', rows: [['a'], ['shown']] },
    ]);
    expect(await read(file, 'select a from hidden')).toEqual([['shown']]);
    expect(await read({ ...file, sheet: 'Hidden' }, 'select a from hidden')).toEqual([['hidden']]);
  });
});
