import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createConnectors } from '@svc/connectors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DataSourceTarget } from '../run-sql/index.ts';
import type { CopyHooks, CopyRequest } from './index.ts';
import { type CopyFixture, copyRefusalOf, startCopyFixture } from './testing.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-copied-files-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
let fixture: CopyFixture;

beforeAll(async () => {
  fixture = await startCopyFixture({ allowedFolders: [folder] });
});
afterAll(async () => {
  await connectors.close();
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
  await fixture.admin.query(`drop table if exists src.t; create table src.t (id int, name text, amount numeric);
    insert into src.t values (1, 'one', 1.50), (2, 'Two', 12345678901234567890123456789.012345678), (3, '', null)`);
});

const names = ['csv', 'tsv', 'parquet', 'json'].map((ending) => ({
  name: ending,
  path: path.join(folder, `t.${ending}`),
}));
const target: DataSourceTarget = { id: 'files', engine: 'DuckDB', connection: { files: names } };
const to = (table: string, change: Partial<CopyRequest> = {}): CopyRequest =>
  fixture.request({
    destinationDataSource: target,
    destination: { schema: 'main', table },
    createsTable: true,
    source: { kind: 'Query', sql: 'select * from src.t order by id' },
    ...change,
  });
const run = (request: CopyRequest, change?: Partial<CopyHooks>) =>
  fixture.copyData.run(request, fixture.hooks(change).hooks);
const call = { signal: new AbortController().signal, timeoutMs: 30_000 };

/** Returns the rows that a query reads from a file, as texts. */
async function rowsOf(name: string): Promise<string[]> {
  const connection = { files: names.filter((file) => file.name === name) };
  const dial = () => Promise.reject(new Error('Files are not dialled.'));
  const limits = { maxRows: 10_000, maxBytes: 10_000_000, maxCellBytes: 10_000_000 };
  const { batches } = await connectors
    .get('DuckDB')
    .execute(
      connection,
      { sql: `select * from "${name}"` },
      { ...limits, ...call, dial, decimalsAsText: true },
    );
  const rows: string[] = [];
  for await (const { rowCount, columns } of batches) {
    for (let row = 0; row < rowCount; row++) rows.push(columns.map((cells) => String(cells[row])).join('|'));
  }
  return rows;
}
const leftovers = () => readdirSync(folder).filter((name) => name.startsWith('svc_staging'));
const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');

describe('a copy into a file', () => {
  it('makes a CSV file with the texts of the source that distinguishes NULL from an empty text', async () => {
    const { outcome, isClean } = await run(to('csv'));
    expect([outcome?.counts.inserted, isClean, leftovers()]).toEqual([3, true, []]);
    expect(text('t.csv')).toBe(
      'id,name,amount\n1,one,1.50\n2,Two,12345678901234567890123456789.012345678\n3,"",\n',
    );
    await run(to('tsv'));
    expect(text('t.tsv').split('\n')[1]).toBe('1\tone\t1.50');
  });

  it('makes a Parquet file with decimals that are wide enough for their values', async () => {
    await run(to('parquet'));
    const large = '12345678901234567890123456789.012345678';
    expect(await rowsOf('parquet')).toEqual(['1|one|1.500000000', `2|Two|${large}`, '3||null']);
    const { mapping, targetRows } = await fixture.copyData.inspect(to('parquet'), call);
    expect([mapping.map(({ toType }) => toType), targetRows]).toEqual([
      ['bigint', 'varchar', 'decimal(38,9)'],
      3,
    ]);
  });

  it('shows the column types of a new file before it starts', async () => {
    const types = async (table: string) =>
      (await fixture.copyData.inspect(to(table), call)).mapping.map(({ toType }) => toType);
    expect([await types('csv'), await types('parquet')]).toEqual([
      ['text', 'text', 'text'],
      ['bigint', 'varchar', 'decimal'],
    ]);
  });

  for (const file of ['csv', 'parquet']) {
    it.each([
      ['Insert', { inserted: 2, updated: 0, unchanged: 0, deleted: 0 }, ['1', '2', '2', '3', '4']],
      ['Upsert', { inserted: 1, updated: 1, unchanged: 0, deleted: 0 }, ['1', '2', '3', '4']],
      ['Truncate', { inserted: 2, updated: 0, unchanged: 0, deleted: 3 }, ['2', '4']],
      ['Sync', { inserted: 1, updated: 1, unchanged: 0, deleted: 2 }, ['2', '4']],
    ] as const)(
      `${file}: %s reports its row counts and leaves columns that it does not name unchanged`,
      async (mode, counts, ids) => {
        await run(to(file));
        const source = {
          kind: 'Query',
          sql: `select * from (values (2, 'two'), (4, 'four')) v (id, name)`,
        } as const;
        const keyColumns = mode === 'Upsert' || mode === 'Sync' ? ['id'] : [];
        const { outcome } = await run(to(file, { source, mode, keyColumns, deletedShareMax: 1 }));
        const rows = await rowsOf(file);
        expect([outcome?.counts, rows.map((row) => row.split('|')[0]).sort()]).toEqual([counts, ids]);
        expect(rows.some((row) => row.startsWith('2|two|'))).toBe(true);
        if (keyColumns.length > 0) expect(rows.find((row) => row.startsWith('2|'))).toMatch(/^2\|two\|1/);
        expect(leftovers()).toEqual([]);
      },
    );
  }

  it('reports its row counts and leaves no file if it is a trial', async () => {
    const { outcome, isClean } = await run(to('parquet', { isTrial: true }));
    expect([outcome?.counts.inserted, isClean, readdirSync(folder)]).toEqual([3, true, []]);
  });

  it.each([
    ['two rows with one key', `insert into src.t values (1, 'again')`, 'key-not-unique'],
    ['a row without a key', `insert into src.t values (null, 'none')`, 'key-not-unique'],
    ['a source without rows', 'delete from src.t', 'empty-source'],
    ['more deletes than allowed', 'delete from src.t where id > 1', 'too-many-deletes'],
  ])('leaves the file unchanged for %s', async (_what, sql, reason) => {
    await run(to('csv'));
    const before = text('t.csv');
    await fixture.admin.query(sql);
    const { reason: refusalReason } = await copyRefusalOf(
      run(to('csv', { mode: 'Sync', keyColumns: ['id'], minimumSourceRows: 1 })),
    );
    expect([refusalReason, text('t.csv'), leftovers()]).toEqual([reason, before, []]);
  });

  it('leaves a file unchanged that another program changed during the copy', async () => {
    await run(to('csv'));
    const changing = run(to('csv'), {
      onCommitting: async () => writeFileSync(names[0]?.path ?? '', 'id\n9\n'),
    });
    expect((await copyRefusalOf(changing)).message).toContain('was changed while the copy ran');
    expect([text('t.csv'), leftovers()]).toEqual(['id\n9\n', []]);
  });

  it('refuses read-only formats, names that are not listed and paths outside the allowed folders', async () => {
    const issues = async (request: CopyRequest) =>
      (await fixture.copyData.inspect(request, call)).issues.map(
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(await issues(to('json'))).toEqual([expect.stringContaining('.json are only read')]);
    expect(await issues(to('other'))).toEqual([expect.stringContaining('a file of that name')]);
    symlinkSync(os.tmpdir(), path.join(folder, 'out'));
    for (const place of [path.join(os.tmpdir(), 'svc-t.csv'), path.join(folder, 'out', 'svc-t.csv')]) {
      const connection = { files: [{ name: 'csv', path: place }] };
      const outside = to('csv', { destinationDataSource: { ...target, connection } });
      await expect(run(outside)).rejects.toThrow('where data sources may not read');
    }
  });

  it('ends when it is cancelled, long before the last row of its source, and leaves no file', async () => {
    const stop = new AbortController();
    // Sends rows for hours: PostgreSQL computes a series of the select list row by row.
    const long =
      'select n as id, repeat(md5(n::text), 20) as name from (select generate_series(1, 1000000000) as n) t';
    const copying = run(to('csv', { source: { kind: 'Query', sql: long }, signal: stop.signal }), {
      onProgress: ({ rowsRead }) => {
        if (rowsRead < 20_000 || stop.signal.aborted) return;
        stop.abort();
      },
    });
    expect((await copyRefusalOf(copying)).reason).toBe('cancelled');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a copy into a file that is resumed after a crash', () => {
  const at = (request: CopyRequest, ending: string) => path.join(folder, `${request.stagingName}${ending}`);
  const again = (earlier: CopyRequest) =>
    to('csv', { earlierStagingNames: [earlier.stagingName], mayHaveCommitted: true });

  it.each([
    ['before its file was complete', ['', '_m', '_w']],
    ['after an earlier check had renamed the file', ['_m', '_x']],
  ])('starts again if the crash happened %s', async (_what, endings) => {
    const first = to('csv');
    for (const ending of endings) writeFileSync(at(first, ending), 'id\n77\n');
    expect((await run(again(first))).outcome?.counts.inserted).toBe(3);
    expect([text('t.csv').split('\n').length, leftovers()]).toEqual([5, []]);
  });

  it('copies nothing if the earlier file already has its final name', async () => {
    const first = to('csv');
    writeFileSync(at(first, '_m'), '');
    writeFileSync(at(first, ''), 'id\n77\n');
    renameSync(at(first, ''), path.join(folder, 't.csv'));
    expect((await run(again(first))).outcome).toBeNull();
    expect(text('t.csv')).toBe('id\n77\n');
    await fixture.copyData.dropStaging(target, { schema: 'main', stagingNames: [first.stagingName] }, call);
    expect(leftovers()).toEqual([]);
  });

  it('reports an unknown outcome if nothing of the earlier attempt remains', async () => {
    expect((await copyRefusalOf(run(again(to('csv'))))).reason).toBe('outcome-unknown');
  });

  it.each(['Applying', 'onCommitting'])(
    'prevents a process that was slow before %s from committing',
    async (when) => {
      const slow = to('csv');
      const take = async () => void (await run(again(slow)));
      const losing = run(
        slow,
        when === 'Applying'
          ? { onStage: async (stage) => (stage === 'Applying' ? take() : undefined) }
          : { onCommitting: take },
      );
      expect((await copyRefusalOf(losing)).reason).toMatch(/schema-changed|outcome-unknown/);
      expect([text('t.csv').split('\n').length, leftovers()]).toEqual([5, []]);
    },
  );
});
