import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChildPool } from '../embedded/child-pool.ts';
import { startWorker, streamRows } from '../embedded/job.ts';
import { rowsOf } from '../testing/results.ts';
import { formatOf } from './files/file-formats.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-duckdb-decides-'));
const customer = path.join(folder, 'customer.csv');
const content = 'id,name\n1,Ann\n2,Bob\n';
const pool = createChildPool({ kind: 'duckdb', max: 1, jobsPerChildMax: 1_000 });
const options = { signal: new AbortController().signal, timeoutMs: 110_000 };

beforeAll(() => writeFileSync(customer, content));
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

/** Runs a statement without the check of its text, so that only the engine decides. */
async function runPastGate(sql: string) {
  const job = {
    type: 'duckdb',
    files: [{ name: 'customer', path: customer, format: formatOf(customer) ?? 'csv', settings: {} }],
    sql,
    values: [],
    wantSources: false,
    resources: { memoryMb: 256, temporaryMb: 256, threads: 2 },
    limits: { maxRows: 1_000, maxBytes: 1_000_000, maxCellBytes: 100_000 },
  } as const;
  return rowsOf(await streamRows(await startWorker(pool, job, options)));
}

describe('DuckDB engine checks', () => {
  it('refuses an EXPLAIN that hides a COPY after a carriage return', async () => {
    const sql = `explain --\r analyze copy (select 0 as "\nselect 1--") to '${customer}' (use_tmp_file false)`;
    await expect(runPastGate(sql)).rejects.toMatchObject({ code: 'not-a-read' });
    expect(readFileSync(customer, 'utf8')).toBe(content);
  });

  it.each([
    `explain analyze copy customer to '/tmp/svc-decides.csv'`,
    `explain (analyze) copy customer to '/tmp/svc-decides.csv'`,
    `explain (analyze, format json) copy customer to '/tmp/svc-decides.csv'`,
    `explain /* x */ analyze copy customer to '/tmp/svc-decides.csv'`,
    'explain analyze explain analyze select 1',
    'explain analyze select 1; select 2',
    'explain',
    'explain analyze',
    'pragma version',
    'checkpoint',
    'select 1; select 2',
    'call pragma_version()',
  ])('refuses %j, which the engine does not parse as one SELECT', async (sql) => {
    await expect(runPastGate(sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^(not-a-read|more-than-one-statement|statement-failed)$/),
    });
  });

  it('explains the prepared SELECT', async () => {
    expect(await runPastGate('EXPLAIN\r\n ANALYZE select count(*) from customer')).toHaveLength(1);
    expect(await runPastGate('explain (format json) select name from customer')).toHaveLength(1);
    expect(await runPastGate('explain select name from customer;')).not.toHaveLength(0);
  });

  it.each([
    'select 1 as x --\r, pg_sleep(1)',
    'select main.pg_sleep(1)',
    'select "PG_SLEEP"(60)',
    'select list_transform([1], s -> pg_sleep(s))',
    'select (1).pg_sleep()',
    'describe select pg_sleep(1)',
    'select * from customer where id in (select pg_sleep(1)::int)',
    'select count(*) over (order by pg_sleep(1)) from customer',
    "from query('select 1')",
    "explain select getenv('HOME')",
  ])('refuses the function in %j by the syntax tree of the engine', async (sql) => {
    await expect(runPastGate(sql)).rejects.toMatchObject({ code: 'function-refused' });
  });

  it('returns the correct position of a refused function after multi-byte characters', async () => {
    await expect(runPastGate(`select 'Zürich',\n getenv('HOME')`)).rejects.toMatchObject({
      code: 'function-refused',
      position: { line: 2, column: 2 },
    });
  });

  it.each(['pivot customer on name', 'select * from (pivot customer on name using count(*))'])(
    'refuses %j, which the engine runs as two statements, and states the alternative',
    async (sql) => {
      await expect(runPastGate(sql)).rejects.toMatchObject({
        code: 'not-a-read',
        message: expect.stringContaining('IN (…)'),
      });
    },
  );

  it('runs a pivot if the statement lists the values', async () => {
    expect(
      await runPastGate(
        `from (pivot customer on name in ('Ann', 'Bob') using count(*) group by id) order by id`,
      ),
    ).toEqual([
      [1, 1, 0],
      [2, 0, 1],
    ]);
  });
});
