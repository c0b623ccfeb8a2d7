import { hasMariaDb } from '@svc/testkit/database/mariadb.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CopyRequest, UnsettledCopy } from './index.ts';
import { type MariaDbCopies, startMariaDbCopies } from './testing/mariadb.ts';
import { copyRefusalOf, createHooks } from './testing/requests.ts';

let fixture: MariaDbCopies;

beforeAll(async () => {
  if (hasMariaDb()) fixture = await startMariaDbCopies();
}, 120_000);
afterAll(() => fixture?.close());

describe.skipIf(!hasMariaDb())('a copy into MariaDB', () => {
  beforeEach(() =>
    fixture.tables(
      `create table t (id int, name text); insert into t values (1, 'one'), (2, 'Two'), (3, 'three')`,
      `create table dst.t (id int primary key, name varchar(20));
        insert into dst.t values (2, 'two'), (3, 'three'), (4, 'four')`,
    ),
  );

  it.each([
    [
      'Upsert',
      { inserted: 1, updated: 1, unchanged: 1, deleted: 0 },
      ['1|one', '2|Two', '3|three', '4|four'],
    ],
    ['Sync', { inserted: 1, updated: 1, unchanged: 1, deleted: 1 }, ['1|one', '2|Two', '3|three']],
    ['Truncate', { inserted: 3, updated: 0, unchanged: 0, deleted: 3 }, ['1|one', '2|Two', '3|three']],
  ] as const)(
    'counts its changes in mode %s, including a change of one letter',
    async (mode, counts, rows) => {
      const { outcome, isClean } = await fixture.run({
        mode,
        deletedShareMax: 1,
        keyColumns: mode === 'Truncate' ? [] : ['id'],
      });
      expect([outcome?.counts, isClean]).toEqual([counts, true]);
      expect(await fixture.texts('select * from dst.t order by id')).toEqual(rows);
      expect(await fixture.leftovers()).toEqual([]);
    },
  );

  it('inserts all rows, or none if a row violates a key, and the error contains no value', async () => {
    const { reason, message } = await fixture.refusal();
    expect([reason, message]).toEqual(['key-not-unique', expect.stringContaining('PRIMARY')]);
    expect(message).not.toMatch(/\d/);
    expect(await fixture.texts('select count(*) from dst.t')).toEqual(['3']);
    await fixture.admin.query('delete from dst.t');
    expect((await fixture.run()).outcome?.counts.inserted).toBe(3);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('creates a table with the types that the inspection showed, and a trial creates none', async () => {
    const change = { createsTable: true, keyColumns: ['id'], destination: { schema: 'dst', table: 'made' } };
    const { mapping } = await fixture.copyData.inspect(fixture.request(change), {
      signal: new AbortController().signal,
      timeoutMs: 30_000,
    });
    expect(mapping.map(({ toType }) => toType)).toEqual(['bigint', 'longtext']);
    expect((await fixture.run({ ...change, isTrial: true })).outcome?.counts.inserted).toBe(3);
    expect([await fixture.leftovers(), await fixture.texts("show tables from dst like 'made'")]).toEqual([
      [],
      [],
    ]);
    expect((await fixture.run(change)).outcome?.counts.inserted).toBe(3);
    expect(await fixture.texts('select * from dst.made')).toEqual(['1|one', '2|Two', '3|three']);
    expect((await fixture.run({ ...change, mode: 'Upsert' })).outcome?.counts.unchanged).toBe(3);
    await fixture.admin.query('drop table dst.made');
  });

  it('reports its row counts and changes nothing if it is a trial', async () => {
    const { outcome } = await fixture.run({ mode: 'Upsert', keyColumns: ['id'], isTrial: true });
    expect(outcome?.counts).toEqual({ inserted: 1, updated: 1, unchanged: 1, deleted: 0 });
    expect(await fixture.texts('select name from dst.t where id = 2')).toEqual(['two']);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it.each([
    ['a source without rows', 'delete from t', 'empty-source'],
    ['a source that fails after some rows', 'select', 'source-failed'],
    ['more deletes than allowed', '', 'too-many-deletes'],
    ['two rows with one key', `insert into t values (1, 'again')`, 'key-not-unique'],
  ])('leaves the table unchanged for %s', async (_what, sql, reason) => {
    await fixture.postgres.query(sql);
    const failing = 'select n as id, (10 / (n - 5000))::text as name from generate_series(1, 6000) n';
    const refused = await fixture.refusal({
      mode: 'Sync',
      keyColumns: ['id'],
      minimumSourceRows: 1,
      ...(reason === 'source-failed' ? { source: { kind: 'Query' as const, sql: failing } } : {}),
    });
    expect(refused.reason).toBe(reason);
    expect(await fixture.texts('select * from dst.t order by id')).toEqual(['2|two', '3|three', '4|four']);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('rejects rows one by one, with their number, key and column', async () => {
    await fixture.postgres.query(`delete from t; insert into t select n, repeat('x', case n % 700 when 0 then 21 else 2 end)
      from generate_series(1, 2500) n`);
    await fixture.admin.query('delete from dst.t; alter table dst.t add check (id <> 1234)');
    const { hooks, told: calls } = createHooks();
    const skipping = { onRejectedRow: 'Skip', mode: 'Upsert', keyColumns: ['id'] } as const;
    const { outcome } = await fixture.copyData.run(fixture.request(skipping), hooks);
    expect(outcome?.counts.inserted).toBe(2_496);
    expect(calls.rejected.map(({ key, code }) => `${key} ${code}`).sort()).toEqual([
      '1234 check-failed',
      '1400 too-long',
      '2100 too-long',
      '700 too-long',
    ]);
  });

  it('refuses tables without transactions, views and generated columns', async () => {
    const issuesOf = async (table: string) => {
      const copyRequest = fixture.request({ destination: { schema: 'dst', table } });
      const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
      return (await fixture.copyData.inspect(copyRequest, call)).issues.map(({ code }) => code);
    };
    await fixture.admin.query(`create table dst.old (id int, name text) engine = MyISAM;
      create view dst.seen as select * from dst.t;
      create table dst.made (id int, name text as (upper('x')) stored, more int not null)`);
    expect(await issuesOf('old')).toEqual(['not-transactional']);
    expect(await issuesOf('seen')).toContain('not-a-table');
    expect(await issuesOf('made')).toEqual(['column-without-source', 'source-column-unused']);
    expect(await issuesOf('missing')).toEqual(['no-destination']);
    await fixture.admin.query('drop table dst.old, dst.made; drop view dst.seen');
  });

  it('names the tables whose rows are deleted or changed with the rows that it deletes', async () => {
    await fixture.admin.query(`create table dst.child (id int primary key, parent int,
        foreign key (parent) references dst.t (id) on delete cascade);
      create table dst.grandchild (child int, foreign key (child) references dst.child (id) on delete set null)`);
    const warningsOf = async (mode: CopyRequest['mode']) => {
      const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
      const { issues } = await fixture.copyData.inspect(fixture.request({ mode, keyColumns: ['id'] }), call);
      return issues.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    };
    const warnings = (mode: string) => [
      `Warning cascade: ${mode} deletes rows: rows of dst.child that refer to them are deleted as well.`,
      `Warning cascade: ${mode} deletes rows: rows of dst.grandchild that refer to them are changed as well.`,
    ];
    expect(await warningsOf('Truncate')).toEqual(warnings('Truncate'));
    expect(await warningsOf('Sync')).toEqual(warnings('Sync'));
    expect(await warningsOf('Upsert')).toEqual([]);
    await fixture.admin.query('drop table dst.grandchild, dst.child');
  });

  it('names the privileges that the login lacks', async () => {
    await fixture.admin.query(
      "create user reader@localhost identified by 'pw'; grant select on dst.* to reader@localhost",
    );
    const { connection } = fixture.destination;
    const copyRequest = fixture.request({
      destinationDataSource: {
        ...fixture.destination,
        connection: Object.assign({}, connection, { user: 'reader', password: 'pw' }),
      },
    });
    const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { issues } = await fixture.copyData.inspect(copyRequest, call);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual(
      ['CREATE', 'DROP', 'ALTER', 'INSERT'].map(
        (privilege) => `missing-privilege The login of the destination lacks ${privilege} on the schema.`,
      ),
    );
  });
});

describe.skipIf(!hasMariaDb())('a copy into MariaDB that is resumed after a crash', () => {
  beforeEach(() =>
    fixture.tables(
      'create table t (id int); insert into t select generate_series(1, 50)',
      'create table dst.t (id int primary key)',
    ),
  );

  const mark = (name: string, row: string) =>
    fixture.admin.query(`create table dst.${name} like dst.t;
      create table dst.${name}_m (id int primary key, is_committed int not null); ${row}`);
  const again = (earlier: string) =>
    fixture.request({ earlierStagingNames: [earlier], mayHaveCommitted: true });
  const resumed = async (earlier: CopyRequest) => {
    const { hooks, told: calls } = createHooks();
    const end = await fixture.copyData.run(again(earlier.stagingName), hooks);
    return [
      end.outcome?.counts.inserted ?? null,
      calls.committed,
      ...(await fixture.texts('select count(*) from dst.t')),
    ];
  };

  it('starts again if the earlier attempt had not committed, even after an earlier check', async () => {
    const first = fixture.request();
    await mark(first.stagingName, '');
    expect(await resumed(first)).toEqual([50, 1, '50']);
    expect(await fixture.leftovers()).toEqual([]);
    await fixture.admin.query('delete from dst.t');
    const looked = fixture.request();
    await mark(
      looked.stagingName,
      `insert into dst.${looked.stagingName}_m values (1, 0);
      rename table dst.${looked.stagingName} to dst.${looked.stagingName}_x`,
    );
    expect(await resumed(looked)).toEqual([50, 1, '50']);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('copies nothing if the earlier attempt had committed, shown by its row or by the renamed table', async () => {
    const first = fixture.request();
    await mark(first.stagingName, `insert into dst.${first.stagingName}_m values (1, 1)`);
    expect(await resumed(first)).toEqual([null, 1, '0']);
    const named = fixture.request();
    await mark(named.stagingName, `drop table dst.${named.stagingName}`);
    expect(await resumed(named)).toEqual([null, 1, '0']);
    const call = { signal: new AbortController().signal, timeoutMs: 10_000 };
    const stagingNames = [first.stagingName, named.stagingName];
    await fixture.copyData.dropStaging(fixture.destination, { schema: 'dst', stagingNames }, call);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('reports no outcome until the open transaction of the earlier attempt has ended', async () => {
    const first = fixture.request();
    await mark(first.stagingName, '');
    const other = await fixture.openSession();
    await other.beginTransaction();
    await other.query(`insert into ${first.stagingName}_m values (1, 1)`);
    await other.query('insert into t values (1)');
    await expect(fixture.copyData.run(again(first.stagingName), createHooks().hooks)).rejects.toThrow(
      UnsettledCopy,
    );
    await other.commit();
    await other.end();
    expect(await resumed(first)).toEqual([null, 1, '1']);
  });

  it('prevents a slow earlier process from committing', async () => {
    const slow = fixture.request({ mode: 'Truncate' });
    const { hooks } = createHooks();
    const losing = fixture.copyData.run(slow, {
      ...hooks,
      onStage: async (stage) => {
        if (stage !== 'Applying') return;
        expect(await resumed(slow)).toEqual([50, 1, '50']);
      },
    });
    expect((await copyRefusalOf(losing)).reason).toMatch(/schema-changed|destination-failed/);
    expect(await fixture.texts('select count(*) from dst.t')).toEqual(['50']);
    expect(await fixture.leftovers()).toEqual([]);
  });
});
