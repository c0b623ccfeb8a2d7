import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, rowsOf } from '../../testing/results.ts';
import { csvText, useSalesFile } from '../testing/sales-file.ts';

const { folder, csv, connector, connection, options, execute } = useSalesFile();

describe('files of a DuckDB data source', () => {
  it('reads a changed CSV file again', async () => {
    const file = path.join(folder, 'changing.csv');
    const files = { files: [{ name: 't', path: file }] };
    const read = async () => rowsOf(await connector.execute(files, { sql: 'select v from t' }, options));
    writeFileSync(file, 'v\n1\n');
    expect(await read()).toEqual([[1]]);
    writeFileSync(file, 'v\n1\n01\n');
    expect(await read()).toEqual([['1'], ['01']]);
  });

  it('does not read or write other files', async () => {
    for (const sql of [
      `select * from read_csv('/etc/passwd')`,
      `from '/etc/passwd'`,
      `from read_csv('${folder}/other.csv')`,
      `copy (select 1) to '${csv.replaceAll("'", "''")}' (use_tmp_file false)`,
    ]) {
      expect((await errorOf(execute(sql))).code, sql).toMatch(
        /permission-denied|not-a-read|file|function-refused|statement-failed/,
      );
    }
    expect(readFileSync(csv, 'utf8')).toBe(csvText);
    expect(existsSync(path.join(folder, 'other.csv'))).toBe(false);
  });

  it('reads a listed file only through its table name, because another reading could rename columns', async () => {
    const listed = csv.replaceAll("'", "''");
    for (const sql of [
      `from read_csv('${listed}', header = false, skip = 1)`,
      `from read_csv_auto('${listed}')`,
      `select * from sniff_csv('${listed}')`,
      `select * from query_table('sales')`,
      `with x as (from "read_csv"('${listed}')) from x`,
    ])
      expect((await errorOf(execute(sql))).code, sql).toBe('function-refused');
    expect(await rowsOf(await execute('select count(*) from sales'))).toHaveLength(1);
  });

  it('reports a missing file only if the statement uses it', async () => {
    const files = [...connection.files, { name: 'later', path: path.join(folder, 'later.parquet') }];
    const { tables } = await connector.readMetadata({ files }, options);
    expect(tables.map(({ name }) => name)).toEqual(['sales']);
    const result = await connector.execute({ files }, { sql: 'select count(*) from sales' }, options);
    await result.close();
    await expect(connector.execute({ files }, { sql: 'from LATER select 1' }, options)).rejects.toMatchObject(
      {
        code: 'file-unreadable',
      },
    );
    expect(await connector.testConnection({ files }, options)).toMatchObject({ isOk: false });
  });

  it('reads metadata and reports an unreadable file', async () => {
    const metadata = await connector.readMetadata(connection, options);
    expect(metadata).toMatchObject({
      schemas: ['main'],
      tables: [{ name: 'sales', columns: [{ name: 'id', databaseType: 'bigint' }, {}, {}, {}] }],
    });
    expect(await connector.testConnection(connection, options)).toMatchObject({ isOk: true });
    const other = { files: [{ name: 'x', path: path.join(folder, 'not.parquet') }] };
    expect(await connector.testConnection(other, options)).toMatchObject({
      error: { code: 'file-unreadable' },
    });
    writeFileSync(path.join(folder, 'not.parquet'), 'no parquet');
    expect(await connector.testConnection(other, options)).toMatchObject({ isOk: false });
  });
});
