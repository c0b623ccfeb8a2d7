import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { duckdbDialect, sqliteDialect } from '../sql/dialects.ts';
import { withAllGaps } from '../testing/gaps.ts';
import { duckdbReads, duckdbRefused } from '../testing/statements/duckdb.ts';
import { sqliteReads, sqliteRefused } from '../testing/statements/sqlite.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const users = [
  { name: 'the user of this process', id: undefined },
  ...(isRoot ? [{ name: 'an ordinary user', id: nobody }] : []),
];
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** More ways to write. The other statement lists omit them, because the gate refuses their first words. */
const rawWrites = {
  duckdb: [
    "copy (select 1) to 'FILE'",
    "copy (select 1) to 'FILE' (use_tmp_file false)",
    "copy (select 1) to 'FILE' (use_tmp_file true)",
    "copy (select 1) to 'FOLDER/new.csv'",
    "copy (select 1 as a) to 'FOLDER/parts' (partition_by a, overwrite_or_ignore)",
    "copy (select 1) to '/dev/shm/svc-no-write.csv'",
    "explain analyze copy (select 1) to 'FILE' (use_tmp_file false)",
    "attach 'FOLDER/new.db' as d; create table d.t as select 1; checkpoint d",
    "export database 'FOLDER/export'",
    "set temp_directory = 'FOLDER/temp'; set memory_limit = '20MB'; select count(*) from (select distinct i, i + 1 from range(2000000) r(i))",
    "pragma enable_profiling = 'json'; pragma profiling_output = 'FOLDER/profile'; select 1",
    "set log_query_path = 'FOLDER/log'; select 1",
  ],
  sqlite: [
    'pragma journal_mode = wal',
    'pragma journal_mode = delete',
    "vacuum into 'FOLDER/new.db'",
    "attach 'FOLDER/other.db' as o; create table o.t (i)",
    'vacuum',
    'update customer set name = 1',
    'drop table customer',
    'pragma user_version = 7',
    'begin immediate; delete from customer; commit',
  ],
};
/** Statements that print, such as EXPLAIN with a profile, repeat their text. */
const outputBytesMax = 1_000_000_000;
const isLong = /pg_sleep|from x$|install|httpfs|https?:|s3:|recursive x/i;

function prepare(engine: 'duckdb' | 'sqlite', owner: number | undefined) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-no-write-'));
  folders.push(folder);
  const [data, work] = ['data', 'work'].map((name) => path.join(folder, name)) as [string, string];
  mkdirSync(data);
  mkdirSync(work);
  const file = path.join(data, engine === 'duckdb' ? 'customer.csv' : 'shop.db');
  if (engine === 'duckdb') writeFileSync(file, 'id,name\n1,Ann\n');
  else {
    const database = new DatabaseSync(file);
    database.exec("create table customer (id, name); insert into customer values (1, 'Ann')");
    database.close();
  }
  const [corpus, reads] = engine === 'duckdb' ? [duckdbRefused, duckdbReads] : [sqliteRefused, sqliteReads];
  const list = path.join(folder, 'statements.json');
  const plain = [...rawWrites[engine], ...corpus, ...reads].filter((sql) => !isLong.test(sql));
  const dialect = engine === 'duckdb' ? duckdbDialect : sqliteDialect;
  const named = withAllGaps(plain, dialect).map((sql) =>
    sql.replaceAll('FILE', file).replaceAll('FOLDER', data),
  );
  writeFileSync(list, JSON.stringify(named));
  // The process owns all these files, so only its confinement can prevent a write.
  for (const place of [folder, data, work, file]) {
    chmodSync(place, statSync(place).isDirectory() ? 0o777 : 0o666);
    if (owner !== undefined) chownSync(place, owner, owner);
  }
  return { data, work, file, list };
}

async function runUngated(
  engine: string,
  place: ReturnType<typeof prepare>,
  user: number | undefined,
  confined = true,
) {
  const confine = ['--require', path.join(import.meta.dirname, 'confine.ts')];
  const program = path.join(import.meta.dirname, '../testing/ungated-statements.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...(confined ? confine : []), program, engine, place.file, place.list, place.work],
    {
      cwd: place.work,
      env: { TZ: 'UTC' },
      maxBuffer: outputBytesMax,
      ...(user === undefined ? {} : { uid: user, gid: user }),
    },
  );
  return Number(stdout.replace('accepted ', ''));
}

const stateOf = ({ data, file }: ReturnType<typeof prepare>) => ({
  names: readdirSync(data),
  hash: createHash('sha256').update(readFileSync(file)).digest('hex'),
});

describe.each(['duckdb', 'sqlite'] as const)('%s with every gate disabled', (engine) => {
  it.each(users)(
    'writes nothing as $name, because the operating system refuses it',
    async ({ id }) => {
      const place = prepare(engine, id);
      const before = stateOf(place);
      // The reads prove that the statements reached the engine.
      expect(await runUngated(engine, place, id)).toBeGreaterThan(50);
      expect(stateOf(place)).toEqual(before);
      for (const name of ['svc-no-write.csv']) expect(existsSync(path.join('/dev/shm', name))).toBe(false);
      expect(readdirSync('/tmp').filter((name) => name.startsWith(`svc-refused-${engine}`))).toEqual([]);
    },
    600_000,
  );

  it('changes files without the confinement, which proves that the test above can fail', async () => {
    const place = prepare(engine, undefined);
    const before = stateOf(place);
    writeFileSync(
      place.list,
      JSON.stringify(
        rawWrites[engine]
          .slice(0, 3)
          .map((sql) => sql.replaceAll('FILE', place.file).replaceAll('FOLDER', place.data)),
      ),
    );
    await runUngated(engine, place, undefined, false);
    expect(stateOf(place)).not.toEqual(before);
  }, 600_000);
});
