import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { createDuckdbConnector } from '../../packages/connectors/src/duckdb/index.ts';
import { createChildPool } from '../../packages/connectors/src/embedded/child-pool.ts';
import type { ConnectorError } from '../../packages/connectors/src/error.ts';
import { createFilePolicy } from '../../packages/connectors/src/files/file-policy.ts';
import { createSqliteConnector } from '../../packages/connectors/src/sqlite/index.ts';

/**
 * `node --conditions=svc-source trials/runs/cancel.ts [rounds]`: measures the time to stop endless statements, and the
 * longest event loop delay meanwhile. Runs one statement on SQLite and four concurrent ones on DuckDB; default 10
 * rounds.
 */
const rounds = Number(process.argv[2] ?? '10');
const runMs = 1_000;
const stoppedMaxMs = 1_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-cancel-'));
const file = path.join(folder, 'shop.db');
const shop = new DatabaseSync(file);
shop.exec('create table customer (id integer primary key)');
shop.close();
const csv = path.join(folder, 'sales.csv');
writeFileSync(csv, 'id\n1\n');

const files = createFilePolicy({ allowedFolders: [folder] });
const pools = {
  SQLite: createChildPool({ kind: 'sqlite', max: 2 }),
  DuckDB: createChildPool({ kind: 'duckdb', max: 4 }),
};
const sqlite = createSqliteConnector({ pool: pools.SQLite, files });
const duckdb = createDuckdbConnector({
  pool: pools.DuckDB,
  files,
  resources: { memoryMb: 256, temporaryMb: 256, threads: 2 },
});
const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n';
const joined = 'select count(*) from range(100000000) a, range(100000000) b where a.range + b.range = -1';

const optionsOf = (signal: AbortSignal) => ({
  dial: () => Promise.reject(new Error('Files need no connection.')),
  signal,
  timeoutMs: 60_000,
  maxRows: 1_000,
  maxBytes: 1_000_000,
  maxCellBytes: 100_000,
});

const cases = {
  SQLite: (signal: AbortSignal) => [sqlite.execute({ file }, { sql: endless }, optionsOf(signal))],
  DuckDB: (signal: AbortSignal) =>
    Array.from({ length: 4 }, () =>
      duckdb.execute({ files: [{ name: 'sales', path: csv }] }, { sql: joined }, optionsOf(signal)),
    ),
};

const table: Record<string, Record<string, number>> = {};
for (const [engine, begin] of Object.entries(cases)) {
  const took: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (let round = 0; round < rounds; round += 1) {
    const controller = new AbortController();
    const running = begin(controller.signal).map((result) =>
      result.then(
        () => 'ended by itself',
        (error: ConnectorError) => error.code,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, runMs));
    const cancelledAt = performance.now();
    controller.abort();
    const codes = await Promise.all(running);
    took.push(performance.now() - cancelledAt);
    if (codes.some((code) => code !== 'cancelled')) throw new Error(`${engine}: ${codes.join(', ')}`);
  }
  delay.disable();
  took.sort((one, other) => one - other);
  table[engine] = {
    'median ms': Math.round(took[Math.floor(took.length / 2)] ?? Number.NaN),
    'slowest ms': Math.round(took.at(-1) ?? Number.NaN),
    'event loop held, ms': Math.round(delay.max / 1e6),
  };
}
console.table(table);
await Promise.all(Object.values(pools).map((pool) => pool.close()));
rmSync(folder, { recursive: true });
if (Object.values(table).some((row) => Number(row['slowest ms']) > stoppedMaxMs)) process.exitCode = 1;
