import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileReadOptions, useFileFolder } from '../../../testing/file-source.ts';
import { errorOf, rowsOf } from '../../../testing/results.ts';
import type { FileSettings } from '../file-settings.ts';

const { connector, execute, folder, written } = useFileFolder();
const read = async (files: readonly object[], sql: string) => rowsOf(await execute(files, sql));

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('a CSV file', () => {
  it('is read in Latin-1, Windows-1252 and UTF-16 next to files in UTF-8', async () => {
    const files = [
      written('latin.csv', Buffer.from('id;city\n1;Köln\n2;Zürich\n', 'latin1')),
      written('cp1252.csv', Buffer.from([...Buffer.from('id,price\n1,"5 '), 0x80, 0x22, 0x0a])),
      written('wide.csv', utf16('id,name\n1,Zoë\n')),
      written('plain.csv', 'id,name\n1,Ann\n'),
    ];
    expect(await read(files, 'select city from latin order by id')).toEqual([['Köln'], ['Zürich']]);
    expect(await read(files, 'select price from cp1252')).toEqual([['5 €']]);
    expect(await read(files, 'select name from wide union all select name from plain')).toEqual([
      ['Zoë'],
      ['Ann'],
    ]);
  });

  it('is read in UTF-16 with both byte orders and with characters beyond the first 65,536', async () => {
    const text = 'id,name\n1,Zoë 🙂\n';
    const little = written('little.csv', utf16(text));
    const big = written('big.csv', Buffer.from(utf16(text)).swap16());
    for (const file of [little, big, { ...little, encoding: 'UTF-16' }, { ...big, encoding: 'UTF-16' }])
      expect(await read([file], `select name from ${file.name}`)).toEqual([['Zoë 🙂']]);
    const cut = written('cut.csv', utf16('id,name\n1,a\n').subarray(0, -1));
    expect(await errorOf(read([cut], 'select * from cut'))).toMatchObject({ code: 'file-unreadable' });
  });

  it('that begins as UTF-8 is refused because of an invalid byte, not read in another encoding', async () => {
    const broken = (name: string, start: string) =>
      written(name, Buffer.concat([Buffer.from(start), Buffer.from([0xff, 0x0a])]));
    for (const file of [
      broken('marked.csv', '\ufeffid,name\n1,Koln\n2,'),
      broken('unmarked.csv', 'id,name\n1,Köln\n2,'),
    ]) {
      const error = await errorOf(read([file], `select * from ${file.name}`));
      expect(error).toMatchObject({ code: 'file-unreadable' });
      expect(error.message).toMatch(/^Line 3 of \w+\.csv is not UTF-8, unlike the lines before it\./);
    }
  });

  it.each([
    ['# exported\n# by x\nid,name\n1,a\n', [['1,a']]],
    ['# exported 2024-01-01\nid,name\n1,a\n', [['1,a']]],
    ['#id,name\n1,a\n', [['1,a']]],
    ['# exported\nid,name\n1,Room #5\n#2,Hall\n', [['1,Room #5'], ['#2,Hall']]],
  ])('may begin with comments or a header: %j', async (content, rows) => {
    const file = written('comments.csv', content);
    expect((await read([file], 'select * from comments')).map((row) => [row.join()])).toEqual(rows);
  });

  it('with a comment prefix omits comment lines outside quoted values', async () => {
    const content = 'id,note\n# first\n1,Room #5\n2,"two\n# lines"\n#3,gone\n4,end#\n';
    for (const encoding of ['UTF-8', 'Latin-1', 'UTF-16', undefined]) {
      const file = written('noted.csv', encoding === 'UTF-16' ? utf16(content) : content);
      const listed = { ...file, comment: '#', ...(encoding && { encoding }) };
      expect(await read([listed], 'select id, note from noted')).toEqual([
        [1, 'Room #5'],
        [2, 'two\n# lines'],
        [4, 'end#'],
      ]);
    }
  });

  it.each<[string, number, Partial<FileSettings>]>([
    ['note\nhello\nbye\nok\nsee you, Ann\n', 5, {}],
    ['note\nhello\nbye\nok\nsee you, Ann\n', 5, { hasHeader: true }],
    [`note\n${'text\n'.repeat(2_000)}see you, Ann\n`, 2_002, {}],
    [`note\n${'text\n'.repeat(20)}${'a, b\n'.repeat(100)}`, 22, {}],
    ['amount\n1\n2\n1,5\n', 4, {}],
    ['url\nhttp://a\nhttp://b?x;y\n', 3, {}],
  ])(
    'of one column is refused by the line with a delimiter instead of losing rows: %#',
    async (content, line, settings) => {
      const file = written('single.csv', content);
      const { message } = await errorOf(read([{ ...file, ...settings }], 'select * from single'));
      expect(message).toContain(`before line ${line} have another number of values`);
    },
  );

  it.each<[string, readonly (readonly unknown[])[]]>([
    ['a;b\n1,5;2,5\n', [['1,5', '2,5']]],
    [
      'v;name\n1;Smith, J, K\n2;Smith, J, K\n',
      [
        [1, 'Smith, J, K'],
        [2, 'Smith, J, K'],
      ],
    ],
    [
      'id;tags\n1;\n2;red|green|blue\n',
      [
        [1, null],
        [2, 'red|green|blue'],
      ],
    ],
    ['id;email\n1;Smith, J, ada@example.com\n', [[1, 'Smith, J, ada@example.com']]],
    ['Report\n\na,b\n1,2\n', [[1, 2]]],
  ])('is divided by the delimiter of its header: %#', async (content, rows) => {
    expect(await read([written('divided.csv', content)], 'select * from divided')).toEqual(rows);
  });

  it('with a line of another length is refused with the line number, and other files remain readable', async () => {
    const files = [
      written('ragged.csv', 'id,a,b\n1,x,y\n2,x\n3,x,y,z\n4,p,q\n'),
      written('sound.csv', 'id\n1\n'),
      { name: 'gone', path: path.join(folder, 'gone.csv') },
    ];
    const error = await errorOf(read(files, 'select * from ragged'));
    expect(error).toMatchObject({ code: 'file-unreadable' });
    expect(error.message).toBe(
      'Line 3 of ragged.csv has another number of values than its header: 2, not 3. Correct the line, or let the settings of the file read missing values as NULL.',
    );
    expect((await errorOf(read(files, 'select a from ragged where id = 1'))).message).toBe(error.message);
    expect(await read(files, 'select id from sound')).toEqual([[1]]);
    expect(await errorOf(read(files, 'select * from gone'))).toMatchObject({ code: 'file-unreadable' });
    expect(await connector.testConnection({ files: files.slice(0, 2) }, fileReadOptions)).toMatchObject({
      isOk: false,
      error: { code: 'file-unreadable', message: error.message },
    });
  });

  it.each([
    ['a,b\n1,2\n3,4\n5,6\n7,8\n3,4,5\n', 6],
    ['a,b\n1,"2"\n3,4,5\n4,5\n', 3],
    ['a,b,c\n1,2\n3,4\n', 2],
  ])('of %j is refused with the number of the wrong line', async (content, line) => {
    const error = await errorOf(read([written('lines.csv', content)], 'select * from lines'));
    expect(error.message).toContain(`Line ${line} of lines.csv has another number of values than its header`);
  });

  it.each([
    [
      '#color,name\n#fff,white\n#000,black\n',
      [
        ['#fff', 'white'],
        ['#000', 'black'],
      ],
    ],
    ['# made by x, y\n# and z\nid,name\n1,a\n', [[1, 'a']]],
    ['# one\nid,name\n1,a\n', [[1, 'a']]],
    ['#id\n1\n2\n', [[1], [2]]],
  ])('of %j has the rows %j', async (content, rows) => {
    expect(await read([written('hashes.csv', content)], 'select * from hashes')).toEqual(rows);
  });

  it('retains times at 24:00 and a mix of times with and without a zone as text', async () => {
    const file = written(
      'moments.csv',
      'a,b\n2024-01-01 24:00:00,2024-01-01 10:00:00\n2024-01-01 10:00:00,2024-01-01 10:00:00Z\n',
    );
    expect(await read([file], 'select a, b from moments limit 1')).toEqual([
      ['2024-01-01 24:00:00', '2024-01-01 10:00:00'],
    ]);
  });

  it.each([
    '12:30',
    '12:30:15.500',
    '12:30:15.50',
    '2024-1-5',
    '0000-01-01',
    '0000-01-01 10:00:00',
    '0000-01-01T10:00:00Z',
    'TRUE',
    'True',
    't',
    'yes',
    '+5',
    '.5',
    '5.',
    '1e3',
    '1E3',
    ' 7',
    '7 ',
    '007',
    '-0',
    '0x1F',
    'nan',
    '0.0000001\n2,1.5',
    '1.50\n2,1.5',
  ])('retains the text of %j, which a number or a time would change', async (value) => {
    const content = `id,v\n0,${value}\n9,${value}\n`;
    const rows = await read([written('forms.csv', content)], 'select id, v from forms');
    expect(['id,v', ...rows.map((row) => row.join()), ''].join('\n')).toBe(content);
    expect(rows.map((row) => typeof row[1])).toEqual(rows.map(() => 'string'));
  });

  it.each([
    ['12:30:15.5', 'TIME', '12:30:15.5'],
    ['2024-01-05', 'DATE', '2024-01-05'],
    ['2024-01-05 10:00:00', 'TIMESTAMP', '2024-01-05T10:00:00'],
    ['2024-01-05T10:00:00.25', 'TIMESTAMP', '2024-01-05T10:00:00.25'],
    ['2024-01-05 10:00', 'TIMESTAMP', '2024-01-05T10:00:00'],
    ['2024-01-05T10:00:00.120Z', 'TIMESTAMP WITH TIME ZONE', '2024-01-05T10:00:00.12Z'],
    ['2024-01-05 10:00:00+02:00', 'TIMESTAMP WITH TIME ZONE', '2024-01-05T08:00:00Z'],
    ['2024-01-05 10:00:00+00', 'TIMESTAMP WITH TIME ZONE', '2024-01-05T10:00:00Z'],
    ['2024-01-05T10:00:00.5Z', 'TIMESTAMP WITH TIME ZONE', '2024-01-05T10:00:00.5Z'],
    ['true', 'BOOLEAN', true],
    ['0.000001\n1,1.5', 'DOUBLE', 0.000001],
  ])('has a typed column of values such as %j', async (value, type, returned) => {
    const file = written('typed.csv', `id,v\n0,${value}\n`);
    expect(await read([file], 'select typeof(v), v from typed limit 1')).toEqual([[type, returned]]);
  });

  it('with one column of sentences may contain different numbers of commas', async () => {
    const file = written('words.csv', 'remark, as entered\none\ntwo, three, four\nfive\n');
    expect(await read([file], 'select count(*) from words')).toEqual([[3]]);
  });

  it.each([
    ['BIGINT', '1.5'],
    ['BIGINT', '007'],
    ['DATE', '2024-01-01 13:30:15'],
    ['DECIMAL(18, 2)', '1.005'],
    ['DECIMAL(4, 2)', '123.45'],
    ['DOUBLE', '0.12345678901234567890'],
    ['BOOLEAN', 'yes'],
    ['TIMESTAMP', '2024-02-30 10:00'],
  ])('with the type %s refuses the value %j, which would change', async (type, value) => {
    const file = written('given.csv', `id;v\n1;\n2;${value}\n`);
    const types = [{ column: 'v', type }];
    const error = await errorOf(read([{ ...file, types }], 'select * from given'));
    expect(error.message).toContain(
      `Line 3 of given.csv has a value in the column v that changes as ${type}.`,
    );
    expect(
      await read([{ ...file, types: [{ column: 'v', type: 'VARCHAR' }] }], 'select v from given'),
    ).toEqual([[null], [value]]);
  });

  it.each([
    ['v\n1\nx\n', {}, 3],
    ['1\nx\n', { hasHeader: false, column: 'column0' }, 2],
    ['v,w\r\n1,a\r\n\r\nx,b\r\n', {}, 4],
    ['v,w\r1,a\rx,b\r', {}, 3],
    ['v\n1\n\nx\n', {}, 4],
    ['w,v\n"two\nlines",1\n"a ""b""\n\nc",x\n', {}, 4],
    ['w,v\n5" pipe,1\n6" pipe,2\n7,x\n', {}, 4],
    ['w,v\n"a\\"b",1\n"c\\"d\ne",2\nf,x\n', {}, 5],
    ['# exported by\n# the shop\nw,v\na,1\nb,x\n', {}, 5],
    ['w,v\n# note\na,1\n"# no\n# note",2\n# note\nb,x\n', { comment: '#' }, 7],
    ['# note\nw,v\na,1\n\nb,x\n', { comment: '#' }, 5],
  ])('of %j with the settings %j is refused by the line of the value', async (content, given, line) => {
    const { column = 'v', ...settings }: Readonly<Record<string, unknown>> = given;
    for (const encoding of ['UTF-8', 'Latin-1', 'UTF-16', undefined]) {
      const file = written('places.csv', encoding === 'UTF-16' ? utf16(content) : content);
      const types = [{ column, type: 'BIGINT' }];
      const listed = { ...file, ...settings, types, ...(encoding && { encoding }) };
      expect((await errorOf(read([listed], 'select * from places'))).message).toBe(
        `Line ${line} of places.csv has a value in the column ${column} that changes as BIGINT. Correct it, or give the column another type in the settings of the file.`,
      );
    }
  });

  it('whose short lines are filled up with NULL is refused by the line of a long one', async () => {
    const file = written('filled.csv', '# note\na,b\n"1\n2","2"\n\n1\n1,2,3\n');
    const error = await errorOf(
      read([{ ...file, shortLines: 'Null', comment: '#' }], 'select * from filled'),
    );
    expect(error.message).toContain(
      'Line 7 of filled.csv has another number of values than its header: 3, not 2.',
    );
  });

  it('with a decimal comma requires another delimiter and does not read a decimal point', async () => {
    const file = written('comma.csv', 'amount\n1,50\n2,25\n');
    const comma = { ...file, decimalSeparator: ',' };
    expect((await errorOf(read([comma], 'select * from comma'))).message).toContain(
      'Name it in the settings',
    );
    expect(await read([{ ...comma, delimiter: ';' }], 'select amount from comma')).toEqual([
      ['1.50'],
      ['2.25'],
    ]);
    const mixed = written('mixed.csv', 'a;b\n1,5;1.5\n2,5;2.5\n');
    expect(await read([{ ...mixed, decimalSeparator: ',' }], 'select a, b from mixed')).toEqual([
      ['1.5', '1.5'],
      ['2.5', '2.5'],
    ]);
  });

  it('with short lines filled with NULL still refuses a long line', async () => {
    const short = written('short.csv', 'a,b,c\n1,2,3\n4\n"5","6"\n');
    expect(await read([{ ...short, shortLines: 'Null' }], 'select * from short')).toEqual([
      [1, 2, 3],
      [4, null, null],
      [5, 6, null],
    ]);
    const long = written('long.csv', 'a,b,c\n"1","2","3"\n1\n1,2,3,4\n');
    expect((await errorOf(read([{ ...long, shortLines: 'Null' }], 'select * from long'))).message).toContain(
      'Line 4 of long.csv has another number of values than its header: 4, not 3.',
    );
  });

  it('of 1,000 columns of numbers is read within the memory of a statement', async () => {
    const columns = Array.from({ length: 1_000 }, (_, at) => at);
    const wide = `${columns.map((at) => `c${at}`).join()}\n${columns.map((at) => `${at}.5`).join()}\n`;
    const [row = []] = await read([written('wide.csv', wide)], 'select * from wide');
    expect(row).toEqual(columns.map((at) => `${at}.5`));
  });

  it('error text from a statement does not count as a refusal of the file', async () => {
    const file = written('fine.csv', 'id\n1\n');
    expect(await errorOf(read([file], "select error('The file fine.csv does not exist.')"))).toMatchObject({
      code: 'statement-failed',
    });
  });
});
