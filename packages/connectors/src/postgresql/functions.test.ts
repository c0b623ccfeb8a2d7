import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { harmlessVolatileFunctions } from '../testing/postgresql-functions.ts';
import { checkRead } from './gate/checked-read.ts';

type Routine = { name: string; argumentTypes: string[]; isVolatile: boolean };

let database: TestDatabase;
let admin: pg.Client;
let routines: Routine[];

beforeAll(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
  // Omits functions that SQL cannot call: triggers, handlers, and functions with internal arguments.
  const { rows } = await admin.query<Routine>(`
    select p.proname::text as name, p.provolatile = 'v' as "isVolatile",
           array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as a (t, at) order by at)
             as "argumentTypes"
      from pg_proc p
     where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'
       and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype,
             'language_handler'::regtype, 'fdw_handler'::regtype, 'index_am_handler'::regtype,
             'table_am_handler'::regtype, 'tsm_handler'::regtype)
       and not 'internal'::regtype = any (p.proargtypes::oid[]) and p.proname !~ '^plpgsql_'
     order by 1, 3`);
  routines = rows;
  refused = await refusedOf([...new Set(rows.map(({ name }) => name))]);
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

let refused: ReadonlySet<string>;
const isRefused = (name: string): boolean => refused.has(name);

/** Returns the names of the functions that the gate refuses. */
async function refusedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
  const verdicts = await Promise.all(
    names.map((name) =>
      checkRead(`select "${name}"()`).then(
        () => [],
        () => [name],
      ),
    ),
  );
  return new Set(verdicts.flat());
}

const isHarmless = (name: string): boolean =>
  harmlessVolatileFunctions.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );

test('each volatile function of the server is either refused or listed as harmless', () => {
  const volatile = [...new Set(routines.filter((each) => each.isVolatile).map((each) => each.name))];
  expect(volatile.length).toBeGreaterThan(150);
  expect(volatile.filter((name) => !isRefused(name) && !isHarmless(name))).toEqual([]);
  expect(volatile.filter((name) => isRefused(name) && isHarmless(name))).toEqual([]);
});

test('no operator and no cast calls a refused function', async () => {
  const { rows } = await admin.query<{ name: string }>(`
    select distinct p.proname::text as name from pg_proc p
     where p.oid in (select oprcode from pg_operator union select castfunc from pg_cast)`);
  expect(rows.length).toBeGreaterThan(500);
  expect(rows.filter(({ name }) => isRefused(name))).toEqual([]);
});

const lockKey = 471_100;
const probe = `select pg_advisory_lock(${lockKey})`;

/** Arguments for each type that a function accepts. Texts contain a statement that leaves a lock. */
const argumentOf: Readonly<Record<string, string>> = {
  text: `'${probe}'`,
  cstring: `'${probe}'`,
  'character varying': `'${probe}'`,
  character: `'${probe}'`,
  boolean: 'true',
  tsquery: `'a'::tsquery`,
  tsvector: `'a'::tsvector`,
  regclass: `'pg_database'::regclass`,
  regconfig: `'simple'::regconfig`,
  regdictionary: `'simple'::regdictionary`,
  name: `'public'`,
  bytea: `'\\x00'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  xml: `'<a/>'`,
  interval: `'0'`,
  'text[]': `array['${probe}']`,
  anyelement: `'a'::text`,
  anycompatible: `'a'::text`,
};
const textTypes = new Set(['text', 'cstring', 'character varying', 'character', 'text[]']);
const callOf = ({ name, argumentTypes }: Routine): string =>
  `select pg_catalog."${name}"(${argumentTypes.map((type) => argumentOf[type] ?? `'0'::${type}`).join(', ')})`;

/** Returns true if a call runs the statement in its argument. The lock outlives the rollback. */
async function runsText(routine: Routine): Promise<boolean> {
  await admin.query('begin; set local statement_timeout = 2000');
  // Most functions refuse these arguments, or the type does not exist. Only the lock counts.
  await admin.query(callOf(routine)).catch(() => undefined);
  await admin.query('rollback');
  const { rowCount } = await admin.query(
    `select from pg_locks where locktype = 'advisory' and objid = ${lockKey} and pid = pg_backend_pid()`,
  );
  await admin.query('select pg_advisory_unlock_all()');
  return (rowCount ?? 0) > 0;
}

test('no allowed function runs SQL text from its argument', async () => {
  const takeText = routines.filter(({ argumentTypes }) => argumentTypes.some((type) => textTypes.has(type)));
  const detectedNames = new Set<string>();
  // Also calls some refused functions that are known to run text, to prove that the probe detects them.
  const probeNames = new Set(['ts_stat', 'ts_rewrite', 'query_to_xml', 'query_to_xmlschema']);
  for (const routine of takeText.filter(({ name }) => probeNames.has(name) || !isRefused(name))) {
    if (await runsText(routine)) detectedNames.add(routine.name);
  }
  expect(takeText.length).toBeGreaterThan(300);
  expect([...detectedNames].filter((name) => !isRefused(name))).toEqual([]);
  expect([...detectedNames]).toEqual(expect.arrayContaining(['query_to_xml', 'ts_rewrite', 'ts_stat']));
}, 120_000);
