import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { addEditor, cookieOf, setupToken } from '../run/people.ts';
import type { Figure } from '../run/result.ts';
import { startSubject } from '../run/subject.ts';

const versionCount = 1_000;
const statementCharacters = 4_000;
const turns = 40;
const warmUps = 5;
const listMsMax = 30;

/** Measures lists of the versions of a query with many versions. */
export const bench: Bench = {
  purpose: `200 of the ${versionCount} versions of a query, each with a statement of ${statementCharacters} characters`,
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
      const url = `${origin}/svc/api/queries/1/versions?pageSize=200`;
      return [
        await timeOf('first page of 200', url, cookie),
        await timeOf('last page of 200', `${url}&page=4`, cookie),
      ];
    } finally {
      await service.stop();
      await database.stop();
    }
  },
};

/** Creates one query with many versions. Each version differs from the one before it. */
async function fill(database: BenchDatabase): Promise<void> {
  await database.sql(
    `insert into svc.projects (name) values ('Watched');
     insert into svc.queries (project_id, name) select max(id), 'Often saved' from svc.projects;
     insert into svc.query_versions (query_id, version_number, status, name, parameters, steps, change_source,
         change_reason, created_by_user_id)
       select q.id, n, case when n = ${versionCount} then 'Active' else 'Archived' end, q.name, '[]',
         jsonb_build_array(jsonb_build_object('key', '00000000-0000-4000-8000-000000000000', 'order', 1, 'name', null,
           'description', null, 'dataSourceId', 1,
           'sql', 'select ' || n || ' as n -- ' || (
             select string_agg(md5(n || ' ' || part), '') from generate_series(1, ${statementCharacters} / 32) part))),
         'User', 'Save ' || n, (select id from svc.users where user_name = 'editor')
       from svc.queries q, generate_series(1, ${versionCount}) n;
     update svc.queries q set active_version_id = v.id from svc.query_versions v
      where v.query_id = q.id and v.status = 'Active'`,
  );
  await database.sql('analyze');
}

async function timeOf(title: string, url: string, cookie: string): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < turns + warmUps; turn += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { cookie } });
    const body = (await response.json()) as { items: readonly { changedParts: readonly string[] }[] };
    if (turn >= warmUps) times.push(performance.now() - startedAt);
    if (response.status !== 200 || body.items.length !== 200 || body.items[0]?.changedParts[0] !== 'Step')
      throw new Error(`${url} answered ${response.status} with ${body.items?.length} versions.`);
  }
  times.sort((a, b) => a - b);
  const value = times[Math.floor(times.length / 2)] ?? 0;
  process.stdout.write(`${title.padEnd(44)} ${value.toFixed(1)} ms (at most ${listMsMax})\n`);
  return {
    title,
    unit: 'ms',
    against: null,
    values: [value],
    floorValues: [],
    ratios: [],
    target: { valueMax: listMsMax },
    pairs: turns,
  };
}
