import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { setupToken } from '../run/people.ts';
import { printPairs } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { type Contender, inPairs } from '../run/rounds.ts';
import { startSubject } from '../run/subject.ts';
import { type Made, watchShop } from '../run/watching.ts';

const columnCount = 10;
const pairs = 8;
/** Maximum time of one scan for all rules, as a share of the time of one scan per rule. */
const shareMax = 0.35;
/** Minimum rate of evaluations, as a share of the rate of their bare statements. */
const rateMin = 0.5;
const atOnce = 4;
const contracts = '/svc/api/data-quality/contracts';

const columns = Array.from({ length: columnCount }, (_, at) => `c${at}`);
/** Two rules per column: not null, and within bounds. The data satisfies all of them. */
const rules = columns.flatMap((column) => [
  { name: `${column} is filled`, type: 'NullRate', columns: [column] },
  { name: `${column} is small`, type: 'Range', columns: [column], config: { max: 1_000 } },
]);
const counts = columns.flatMap((column) => [
  `count(case when "${column}" is null then 1 end)`,
  `count(case when "${column}" > 1000 then 1 end)`,
]);
const walkOf = (table: string): string => `select count(*), ${counts.join(', ')} from public.${table}`;

const tables = [
  { name: 'large', rows: 300_000, evaluations: 8, target: rateMin },
  { name: 'small', rows: 100, evaluations: 200, target: undefined },
] as const;
const createTables = tables
  .map(
    ({ name, rows }) =>
      `create table ${name} as select ${columns.map((column) => `(g % 1000)::int as ${column}`).join(', ')}
         from generate_series(1, ${rows}) g`,
  )
  .join('; ');

/** Measures the cost of combined rules, and of evaluations compared with their bare statements. */
export const bench: Bench = {
  purpose: `${rules.length} aggregate rules of a data contract in one pass against one by one, and evaluations against their bare statements, ${atOnce} concurrent`,
  run: async () => {
    const database = await startBenchDatabase();
    const service = await startSubject('service', path.join(import.meta.dirname, '../run/service.ts'), {
      connection: database.connection,
      settings: {
        'Svc:UserManagement:SetupToken': setupToken,
        'Svc:EncryptionKey': 'k'.repeat(32),
        'Svc:Jobs:Workers': atOnce,
      },
    });
    const shop = new pg.Pool({ ...database.loopback, database: 'shop', max: atOnce });
    try {
      const { post } = await watchShop(service, database, { createTable: createTables, sql: 'select 1' });
      await post('/svc/api/data-sources/1/refresh-metadata');
      await shop.query('vacuum analyze');
      const figures: Figure[] = [await compareWalks(post)];
      for (const table of tables) figures.push(await compareRates({ post, database, shop }, table));
      return figures;
    } finally {
      await shop.end();
      await service.stop();
      await database.stop();
    }
  },
};

type Post = Awaited<ReturnType<typeof watchShop>>['post'];
const placeOf = (tableName: string) => ({
  projectId: 1,
  dataSourceId: 1,
  schemaName: 'public',
  tableName,
});

async function compareWalks(post: Post): Promise<Figure> {
  const check = async (some: readonly object[]): Promise<void> => {
    const { results } = await post<{ results: { outcome: string }[] }>(`${contracts}/check`, {
      ...placeOf('large'),
      rules: some,
    });
    if (results.length !== some.length || results.some(({ outcome }) => outcome !== 'Passed'))
      throw new Error(`The rules did not pass: ${JSON.stringify(results).slice(0, 300)}`);
  };
  const timed = (name: string, work: () => Promise<void>): Contender => ({
    name,
    measure: async () => {
      const startedAt = performance.now();
      await work();
      return { ms: performance.now() - startedAt };
    },
  });
  const singly = timed('one by one', async () => {
    for (const rule of rules) await check([rule]);
  });
  const together = timed('one walk', () => check(rules));
  const measured = await inPairs(singly, together, pairs);
  const column = [{ title: 'ms', number: 'ms', digits: 1 }];
  return printPairs(
    `${rules.length} aggregate rules`,
    { floor: singly.name, contender: together.name },
    measured,
    column,
    { number: 'ms', isMoreBetter: false, target: 1 / shareMax },
  );
}

type Subjects = { readonly post: Post; readonly database: BenchDatabase; readonly shop: pg.Pool };

async function compareRates(
  { post, database, shop }: Subjects,
  { name, rows, evaluations, target }: (typeof tables)[number],
): Promise<Figure> {
  const ids: number[] = [];
  for (let at = 0; at < evaluations; at += 1) {
    const body = { ...placeOf(name), name: `${name} ${at}`, rules };
    ids.push((await post<Made>(contracts, body)).id);
  }
  const rated = (title: string, work: () => Promise<void>): Contender => ({
    name: title,
    measure: async () => {
      const startedAt = performance.now();
      await work();
      return { rate: (evaluations * 1_000) / (performance.now() - startedAt) };
    },
  });
  const bare = rated('bare statements', async () => {
    await Promise.all(ids.map(() => shop.query(walkOf(name))));
  });
  const evaluated = rated('evaluations', async () => {
    const before = await finished(database, ids);
    await inTurn(ids, (id) => post(`${contracts}/${id}/evaluate`));
    while ((await finished(database, ids)) < before + evaluations) await sleep(2);
  });
  const measured = await inPairs(bare, evaluated, pairs);
  const [other] = await database.sql<{ count: number }>(
    `select count(*)::int as count from svc.contract_evaluations where finished_at is not null and status <> 'Passed'`,
  );
  if (other?.count !== 0) throw new Error(`${other?.count} evaluations did not pass.`);
  return printPairs(
    `a table of ${rows} rows, ${rules.length} rules`,
    { floor: bare.name, contender: evaluated.name },
    measured,
    [{ title: 'evaluations/s', number: 'rate', digits: 1 }],
    { number: 'rate', isMoreBetter: true, ...(target !== undefined && { target }) },
  );
}

/** Calls `ask` for each id, with as many concurrent calls as there are workers. */
async function inTurn(ids: readonly number[], ask: (id: number) => Promise<unknown>): Promise<void> {
  const waiting = [...ids];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await ask(id);
    }),
  );
}

async function finished(database: BenchDatabase, ids: readonly number[]): Promise<number> {
  const [row] = await database.sql<{ count: number }>(
    `select count(*)::int as count from svc.contract_evaluations
     where contract_id = any($1::int[]) and finished_at is not null`,
    [ids],
  );
  return row?.count ?? 0;
}
