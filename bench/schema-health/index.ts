import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { addEditor, cookieOf, setupToken } from '../run/people.ts';
import type { Figure } from '../run/result.ts';
import { startSubject } from '../run/subject.ts';

const tableCount = 1_000;
const columnsEach = 15;
const turns = 40;
const warmUps = 5;
const healthMsMax = 300;

/** Measures the health report of a wide schema. */
export const bench: Bench = {
  purpose: `the health of a schema of ${tableCount} tables with ${columnsEach} columns and a declared key each`,
  run: async () => {
    const database = await startBenchDatabase();
    const service = await startSubject('service', path.join(import.meta.dirname, '../run/service.ts'), {
      connection: database.connection,
      settings: {
        'Svc:UserManagement:SetupToken': setupToken,
        'Svc:EncryptionKey': 'k'.repeat(32),
        'Svc:Jobs:Workers': 0,
      },
    });
    try {
      const origin = String(service.ready['origin']);
      await addEditor(origin, database);
      await fill(database);
      const cookie = await cookieOf(origin, 'editor');
      const url = `${origin}/svc/api/data-sources/1/schema-health`;
      return [await timeOf(`${tableCount} tables`, url, cookie)];
    } finally {
      await service.stop();
      await database.stop();
    }
  },
};

const name = (at: number): string => `table_${at}`;
const column = (at: number) => ({
  name: at === 0 ? 'id' : `column_${at}`,
  databaseType: 'integer',
  isNullable: at > 0,
  defaultValue: null,
  comment: null,
});

/** Creates a source whose snapshot is a chain of tables. Each table refers to the one before it. */
async function fill(database: BenchDatabase): Promise<void> {
  const tables = Array.from({ length: tableCount }, (_, at) => ({
    schema: 'public',
    name: name(at),
    type: 'Table',
    comment: null,
    primaryKey: ['id'],
    indexes: [],
    columns: Array.from({ length: columnsEach }, (_column, of) => column(of)),
    foreignKeys:
      at === 0
        ? []
        : [
            {
              name: `key_${at}`,
              columns: ['column_1'],
              toSchema: 'public',
              toTable: name(at - 1),
              toColumns: ['id'],
            },
          ],
  }));
  const snapshot = { schemas: ['public'], tables, areTablesCut: false, areColumnsCut: false };
  await database.sql(
    `insert into svc.projects (name) values ('Watched');
     insert into svc.data_sources (name, engine, connection_shown, connection_sealed)
       values ('Wide', 'PostgreSQL', '{}', 'v1.none');
     insert into svc.project_data_sources (project_id, data_source_id) select max(p.id), 1 from svc.projects p;
     insert into svc.data_source_metadata (data_source_id, snapshot, refreshed_at)
       values (1, '${JSON.stringify(snapshot)}', now());
     insert into svc.relationships (data_source_id, source_schema, source_table, source_columns, target_schema,
         target_table, target_columns, label, origin, cardinality, confidence)
       select 1, 'public', 'table_' || n, '{column_1}', 'public', 'table_' || (n - 1), '{id}', 'former', 'ForeignKey',
         'ManyToOne', 1 from generate_series(1, ${tableCount - 1}) n`,
  );
  await database.sql('analyze');
}

async function timeOf(title: string, url: string, cookie: string): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < turns + warmUps; turn += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { cookie } });
    const body = (await response.json()) as {
      tableCount: number;
      largestComponentSize: number;
      unindexedForeignKeys: { count: number };
    };
    if (turn >= warmUps) times.push(performance.now() - startedAt);
    const isWhole =
      body.tableCount === tableCount &&
      body.largestComponentSize === tableCount &&
      body.unindexedForeignKeys.count === tableCount - 1;
    if (response.status !== 200 || !isWhole)
      throw new Error(`${url} answered ${response.status}: ${JSON.stringify(body).slice(0, 300)}`);
  }
  times.sort((a, b) => a - b);
  const value = times[Math.floor(times.length / 2)] ?? 0;
  process.stdout.write(`${title.padEnd(44)} ${value.toFixed(1)} ms (at most ${healthMsMax})\n`);
  return {
    title,
    unit: 'ms',
    against: null,
    values: [value],
    floorValues: [],
    ratios: [],
    target: { valueMax: healthMsMax },
    pairs: turns,
  };
}
