import { randomInt } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connectors, createConnectors } from '@svc/connectors';
import type { MigrationExecution, MigrationJobInput } from '@svc/contract';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { make } from '@svc/testkit/client/make.ts';
import { setupRequest, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { startSource, type WatchedSource } from '@svc/testkit/runs/watch.ts';
import { type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Each kill ends all running copies. */
const kills = 4;
const sourceRows = 100_000;
const killWithinMs = 3_000;
const waitMaxMs = 180_000;
const pollMs = 250;

let host: HostProcess;
let root: HttpClient;
let destination: WatchedSource;
let connectors: Connectors;
let folder: string;

/** A copy with its own destination, and the expected rows after completion. */
type Copied = {
  readonly name: string;
  readonly change: Partial<MigrationJobInput>;
  readonly before: () => Promise<void>;
  /** Returns the number of rows, and of distinct ids. */
  readonly stand: () => Promise<readonly [rows: number, ids: number]>;
  readonly earlier: number;
  readonly after: number;
};

beforeAll(async () => {
  host = await startHost({
    withDemo: false,
    settings: { 'Svc:Migrations:Enabled': true, 'Svc:Migrations:Workers': 6 },
  });
  folder = path.dirname(host.ordersFile);
  const rows = new DatabaseSync(path.join(folder, 'rows.sqlite'));
  rows.exec(`create table t (id integer, name text);
    with recursive n(id) as (select 1 union all select id + 1 from n where id < ${sourceRows})
    insert into t select id, 'row ' || id from n`);
  rows.close();
  destination = await startSource();
  connectors = createConnectors({ files: { allowedFolders: [folder] } });
  const first = { ...setupRequest, setupToken: host.setupToken };
  expect((await createHttpClient(host.origin).post('/svc/api/setup/superadmin', first)).status).toBe(201);
  root = await signIn(host, superAdmin);
}, 900_000);
afterAll(async () => {
  await host.stop();
  await destination.close();
  await connectors.close();
}, 900_000);

const addSource = async (name: string, engine: string, connection: object, isWritten: boolean) => {
  const { id } = await make(root, '/svc/api/data-sources', { name, engine, connection });
  if (isWritten) await root.put(`/svc/api/data-sources/${id}/migration-writes`, { isAllowed: true });
  return id;
};

function intoTable(mode: 'Insert' | 'Truncate' | 'Sync', isSkipping: boolean): Copied {
  const name = `t_${mode.toLowerCase()}${isSkipping ? '_skip' : ''}`;
  const key = mode === 'Sync' ? 'primary key' : '';
  return {
    name,
    change: {
      mode,
      destination: { schema: 'public', table: name },
      deletedShareMax: 1,
      ...(isSkipping && { onRejectedRow: 'Skip' }),
    },
    before: async () => {
      await destination.sql(`drop table if exists ${name}`);
      await destination.sql(`create table ${name} (id int ${key}, name text)`);
      await destination.sql(`insert into ${name} select n, 'old' from generate_series(900001, 900050) n`);
    },
    stand: async () => {
      const { rows } = await destination.pool.query(
        `select count(*) as rows, count(distinct id) as ids from ${name}`,
      );
      return [Number(rows[0].rows), Number(rows[0].ids)];
    },
    earlier: 50,
    after: sourceRows + (mode === 'Insert' ? 50 : 0),
  };
}

function intoFile(ending: 'csv' | 'parquet'): Copied {
  const file = () => path.join(folder, `copied.${ending}`);
  return {
    name: ending,
    change: { mode: 'Insert', destination: { schema: 'main', table: ending }, createsTable: true },
    before: async () => rmSync(file(), { force: true }),
    stand: async () => {
      if (!readdirSync(folder).includes(path.basename(file()))) return [0, 0];
      const { batches } = await connectors.get('DuckDB').execute(
        { files: [{ name: 't', path: file() }] },
        { sql: 'select count(*), count(distinct id) from t' },
        {
          maxRows: 10,
          maxBytes: 1_000,
          maxCellBytes: 100,
          timeoutMs: 30_000,
          signal: new AbortController().signal,
          dial: () => Promise.reject(new Error('Files are not dialled.')),
        },
      );
      for await (const { columns } of batches) return [Number(columns[0]?.[0]), Number(columns[1]?.[0])];
      throw new Error('Nothing was counted.');
    },
    earlier: 0,
    after: sourceRows,
  };
}

const copies = [
  intoTable('Insert', false),
  intoTable('Insert', true),
  intoTable('Truncate', false),
  intoTable('Sync', false),
  intoFile('csv'),
  intoFile('parquet'),
];

async function addJobs(): Promise<ReadonlyMap<string, number>> {
  const from = await addSource('From', 'SQLite', { file: path.join(folder, 'rows.sqlite') }, false);
  const table = await addSource('To', 'PostgreSQL', destination.connection, true);
  const named = ['csv', 'parquet'].map((name) => ({ name, path: path.join(folder, `copied.${name}`) }));
  const files = await addSource('Files', 'DuckDB', { files: named }, true);
  const jobs = new Map<string, number>();
  for (const { name, change } of copies) {
    const { id } = await make(root, '/svc/api/migrations/jobs', {
      name,
      dataSourceId: from,
      source: { kind: 'Table', schema: 'main', table: 't' },
      retriesMax: 0,
      destinationDataSourceId: change.createsTable ? files : table,
      ...change,
    });
    jobs.set(name, id);
  }
  return jobs;
}

async function start(jobId: number): Promise<number> {
  const answer = await root.post(`/svc/api/migrations/jobs/${jobId}/run`, {});
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return answer.read<{ executionId: number }>().executionId;
}

async function ended(executionId: number): Promise<MigrationExecution> {
  const endsAt = Date.now() + waitMaxMs;
  while (Date.now() < endsAt) {
    const answer = await root.get(`/svc/api/migrations/executions/${executionId}`);
    const execution = answer.read<MigrationExecution>();
    if (answer.status === 200 && !['Queued', 'Running'].includes(execution.status)) return execution;
    await delay(pollMs);
  }
  throw new Error(`The execution ${executionId} did not end.`);
}

const left = async (): Promise<string[]> => {
  const { rows } = await destination.pool.query(
    "select relname from pg_class where relname like 'svc\\_staging%'",
  );
  return [
    ...rows.map(({ relname }) => String(relname)),
    ...readdirSync(folder).filter((name) => name.startsWith('svc_')),
  ];
};

test('copies whose service is killed complete exactly once and leave nothing behind', async () => {
  const jobs = await addJobs();
  let midst = 0;
  for (let kill = 0; kill < kills; kill++) {
    const executions = new Map<string, number>();
    for (const { name, before } of copies) {
      await before();
      executions.set(name, await start(jobs.get(name) ?? 0));
    }
    await delay(randomInt(killWithinMs));
    await host.kill();
    midst += (await left()).length > 0 ? 1 : 0;
    for (const { name, stand, earlier, after } of copies) {
      const [rows, ids] = await stand();
      expect([name, rows, [earlier, after].includes(rows)]).toEqual([name, rows, true]);
      expect([name, ids]).toEqual([name, rows]);
    }
    await host.startAgain();
    for (const { name, stand, after } of copies) {
      const execution = await ended(executions.get(name) ?? 0);
      expect([name, execution.status, execution.reason, ...(await stand())]).toEqual([
        name,
        'Completed',
        null,
        after,
        after,
      ]);
    }
  }
  // Kills before the first or after the last copy prove nothing, so some kills must hit a running copy.
  expect(midst).toBeGreaterThan(0);
  // The maintenance job runs at the start of a service and every ten minutes.
  await host.kill();
  await host.startAgain();
  const endsAt = Date.now() + waitMaxMs;
  while ((await left()).length > 0 && Date.now() < endsAt) await delay(pollMs);
  expect(await left()).toEqual([]);
}, 900_000);
