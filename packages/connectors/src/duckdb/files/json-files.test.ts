import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../connectors.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-json-files-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
afterAll(async () => {
  await connectors.close();
  rmSync(folder, { recursive: true });
});

const options = {
  ...{ signal: new AbortController().signal, timeoutMs: 110_000, maxRows: 100_000 },
  ...{ maxBytes: 100_000_000, maxCellBytes: 1_000_000 },
  dial: () => Promise.reject(new Error('no network')),
};

async function read(content: string, sql = 'select * from data', name = 'data.json') {
  writeFileSync(path.join(folder, name), content);
  const files = [{ name: 'data', path: path.join(folder, name) }];
  const result = await connectors.get('DuckDB').execute({ files }, { sql }, options);
  const types = result.columns.map(({ name, databaseType }) => [name, databaseType]);
  return { types: Object.fromEntries(types), rows: await rowsOf(result) };
}

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('a JSON file', () => {
  it('keeps texts as they are, and has times where every text has the one form of a time', async () => {
    const row = {
      id: '0A0EEBC9-9C0B-4EF8-BB6D-6BB9BD380A11',
      day: '2024-01-02',
      at: '2024-01-02T10:00:00',
      zoned: '2024-01-02T10:00:00Z',
      clock: '1:2:3',
      nested: { day: '2024-01-02', DATE: '0A0EEBC9-9C0B-4EF8-BB6D-6BB9BD380A11' },
      list: ['2024-1-2'],
    };
    const { types, rows } = await read(lines(row, { ...row, day: '2024-03-01' }));
    expect(types).toMatchObject({
      ...{ id: 'varchar', day: 'date', at: 'timestamp', clock: 'varchar' },
      zoned: 'timestamp with time zone',
    });
    expect(rows[0]).toEqual([
      ...[row.id, row.day, '2024-01-02T10:00:00', '2024-01-02T10:00:00Z', '1:2:3'],
      ...[JSON.stringify(row.nested), JSON.stringify(row.list)],
    ]);
  });

  it('has a number as a double only where a double has all its digits', async () => {
    const content = (n: string) =>
      `{"n": ${n}, "half": 0.5, "deep": {"n": ${n}, "half": 1.5}}\n{"n": 1, "half": 1}`;
    const { types, rows } = await read(content('9007199254740993'));
    expect(types).toMatchObject({ n: 'bigint', half: 'double' });
    expect(rows[0]).toEqual(['9007199254740993', 0.5, '{"n":9007199254740993,"half":1.5}']);
    const mixed = await read('{"n": 9007199254740993}\n{"n": 0.5}');
    expect(mixed.rows).toEqual([['9007199254740993'], ['0.5']]);
    const huge = await read('{"n": 12345678901234567890123}\n{"n": 7}');
    expect(huge.rows).toEqual([['12345678901234567890123'], [7]]);
    const nested = await read('[{"deep": [1.5, 9007199254740993]}]');
    expect(nested.rows).toEqual([['[1.5,9007199254740993]']]);
    const doubles = await read('{"n": 0.30000000000000004}\n{"n": 1e3}\n{"n": 2.000000000000000000}');
    expect(doubles.rows).toEqual([[0.30000000000000004], [1000], [2]]);
  });

  it('is refused by its row where a fraction has more digits, and by its line where it is no JSON', async () => {
    const messageOf = async (content: string) => (await errorOf(read(content))).message;
    expect(await messageOf('{"n": 1.5}\n{"n": 0.1234567890123456789}')).toContain(
      'Row 2 of data.json has a number with more digits than a double has.',
    );
    expect(await messageOf('{"n": [{"m": 0.1234567890123456789}]}')).toContain('Row 1 of data.json');
    expect((await read('{"n": 1.5, "text": "0.1234567890123456789"}')).rows).toEqual([
      [1.5, '0.1234567890123456789'],
    ]);
    expect(await messageOf('{"a":1}\n{"a":2\n{"a":3}\n')).toMatch(/^Line 3 of data\.json cannot be read/);
    expect(await messageOf('{"a":1}\n{"a":1,"a":2}')).toContain('has an object with two members of one name');
    expect(await messageOf('{"a":1,"A":2}')).toContain('differ by case alone');
    expect((await read('{"a":1,"a_1":2}')).rows).toEqual([[1, 2]]);
  });

  it('of values that are no objects, or of none, has one column', async () => {
    expect((await read('[1, "x", {"a": 1}]')).rows).toEqual([['1'], ['"x"'], ['{"a":1}']]);
    expect((await read('')).rows).toEqual([]);
  });
});
