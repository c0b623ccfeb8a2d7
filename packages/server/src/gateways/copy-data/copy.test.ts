import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CopyFixture, copyRefusalOf, startCopyFixture } from './testing.ts';

let fixture: CopyFixture;

beforeAll(async () => {
  fixture = await startCopyFixture();
});
afterAll(() => fixture.close());

const sql = (text: string) => fixture.admin.query(text);
const target = () => fixture.texts('select * from dst.t order by 1');

beforeEach(() =>
  sql(`drop table if exists src.t, dst.t;
    create table src.t (id int primary key, name text, amount numeric);
    create table dst.t (id int primary key, name text, amount numeric);
    insert into src.t select n, 'name ' || n, n * 1.50 from generate_series(1, 12000) as n`),
);

describe('copy modes', () => {
  it('Insert adds every row in one commit', async () => {
    const { counts, rowsRead, bytesRead } = await fixture.copy();
    expect({ counts, rowsRead }).toEqual({
      counts: { inserted: 12_000, updated: 0, unchanged: 0, deleted: 0 },
      rowsRead: 12_000,
    });
    expect(bytesRead).toBeGreaterThan(100_000);
    expect(
      await fixture.texts('(table src.t except table dst.t) union all (table dst.t except table src.t)'),
    ).toEqual([]);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('Upsert adds new rows, updates rows that differ and leaves equal rows unchanged', async () => {
    await sql(`insert into dst.t values (1, 'other', 0), (2, 'name 2', 3.00), (99999, 'stays', 1)`);
    const { counts } = await fixture.copy({ mode: 'Upsert' });
    expect(counts).toEqual({ inserted: 11_998, updated: 1, unchanged: 1, deleted: 0 });
    expect(await fixture.texts('select count(*), min(name) filter (where id = 1) from dst.t')).toEqual([
      '12001|name 1',
    ]);
  });

  it('Truncate replaces all rows', async () => {
    await sql(`insert into dst.t values (99999, 'goes', 1)`);
    const { counts } = await fixture.copy({ mode: 'Truncate' });
    expect(counts).toEqual({ inserted: 12_000, updated: 0, unchanged: 0, deleted: 1 });
  });

  it('Sync deletes rows that the source lacks', async () => {
    await sql(
      `insert into dst.t select id, 'old', 0 from src.t; insert into dst.t values (99999, 'goes', 1)`,
    );
    const { counts } = await fixture.copy({ mode: 'Sync' });
    expect(counts).toEqual({ inserted: 0, updated: 12_000, unchanged: 0, deleted: 1 });
    expect(
      await fixture.texts('(table src.t except table dst.t) union all (table dst.t except table src.t)'),
    ).toEqual([]);
  });

  it('createsTable creates the destination table, and fails if it already exists', async () => {
    await sql('drop table dst.t');
    await fixture.copy({ createsTable: true, mode: 'Upsert', keyColumns: ['id'] });
    expect(await target()).toHaveLength(12_000);
    expect((await copyRefusalOf(fixture.copy({ createsTable: true }))).reason).toBe('destination-failed');
  });

  it('a copy reports the estimated number of source rows before the rows arrive, but a trial does not', async () => {
    await sql('analyze src.t');
    const { hooks, told: calls } = fixture.hooks({
      onStage: async (stage) => {
        if (stage === 'Copying') expect(calls.estimated).toEqual([12_000]);
      },
    });
    await fixture.copyData.run(fixture.request(), hooks);
    expect(calls.estimated).toEqual([12_000]);
    const trial = fixture.hooks();
    await fixture.copyData.run(fixture.request({ mode: 'Upsert', isTrial: true }), trial.hooks);
    expect(trial.told.estimated).toEqual([]);
  });

  it('a copy maps columns that have other names in the destination', async () => {
    await sql('alter table dst.t rename column name to label');
    await fixture.copy({
      source: { kind: 'Table', schema: 'src', table: 't' },
      columns: [
        { from: 'id', to: 'id' },
        { from: 'name', to: 'label' },
      ],
    });
    expect((await target())[0]).toBe('1|name 1|');
  });
});

describe('changes of a copy in rows that refer to deleted rows', () => {
  beforeEach(() =>
    sql(`create table dst.child (id int primary key, parent int references dst.t on delete cascade);
      create table dst.grandchild (child int references dst.child on delete set null);
      create table dst.other (parent int references dst.t)`),
  );
  afterEach(() => sql('drop table dst.grandchild, dst.child, dst.other'));

  it.each([
    ['Sync', ['dst.child that refer to them are deleted', 'dst.grandchild that refer to them are changed']],
    ['Upsert', []],
    // The server refuses to truncate a table that other tables reference.
    ['Truncate', []],
  ] as const)('are reported before the start if %s makes any', async (mode, warnings) => {
    const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
    const { issues } = await fixture.copyData.inspect(fixture.request({ mode, keyColumns: ['id'] }), call);
    expect(issues.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
      warnings.map(() => 'Warning cascade'),
    );
    expect(issues.map(({ message }) => message)).toEqual(
      warnings.map((warning) => expect.stringContaining(`rows of ${warning}`)),
    );
  });
});

describe('a copy without a commit', () => {
  const before = ['7|keep|1'];
  beforeEach(() => sql(`insert into dst.t values (7, 'keep', 1)`));
  const refused = async (change: Parameters<CopyFixture['copy']>[0]) => {
    const { reason } = await copyRefusalOf(fixture.copy(change));
    expect(await target()).toEqual(before);
    expect(await fixture.leftovers()).toEqual([]);
    return reason;
  };

  it('leaves the destination unchanged if the source is empty', async () => {
    await sql('truncate src.t');
    expect(await refused({ mode: 'Truncate', minimumSourceRows: 1 })).toBe('empty-source');
    expect(await refused({ mode: 'Sync', minimumSourceRows: 1 })).toBe('empty-source');
  });

  it('leaves the destination unchanged if the source fails half-way', async () => {
    // Row 7 exists at the destination: an insert of it would fail too, and that error could be reported first.
    const failing = {
      kind: 'Query',
      sql: 'select id, name, 1 / (9000 - id) as amount from src.t where id <> 7 order by id',
    } as const;
    for (const mode of ['Insert', 'Upsert', 'Truncate', 'Sync'] as const) {
      expect(await refused({ mode, source: failing })).toBe('source-failed');
    }
  });

  it('leaves the destination unchanged if it would delete more rows than allowed', async () => {
    await sql('delete from src.t where id = 7');
    expect(await refused({ mode: 'Sync' })).toBe('too-many-deletes');
  });

  it('leaves the destination unchanged if two rows have the same key', async () => {
    const twice = { kind: 'Query', sql: 'select id % 100 as id, name, amount from src.t' } as const;
    expect(await refused({ mode: 'Upsert', source: twice })).toBe('key-not-unique');
    expect(await refused({ mode: 'Sync', source: twice, deletedShareMax: 1 })).toBe('key-not-unique');
  });

  it('leaves the destination unchanged if it already contains a row of the source', async () => {
    expect(await refused({})).toBe('destination-failed');
  });

  it('leaves the destination unchanged if writes are closed at the start or before the commit', async () => {
    for (const answers of [[false], [true, false]]) {
      const { hooks } = fixture.hooks({ mayWrite: async () => answers.shift() ?? false });
      const run = fixture.copyData.run(fixture.request({ mode: 'Upsert' }), hooks);
      expect((await copyRefusalOf(run)).reason).toBe('writes-closed');
      expect(await target()).toEqual(before);
    }
  });

  it('leaves the destination unchanged if it is cancelled, and ends while it waits for a lock', async () => {
    const stop = new AbortController();
    const lock = await fixture.lock('lock table dst.t in share mode');
    const { hooks } = fixture.hooks({
      onStage: async (stage) => void (stage === 'Applying' && setTimeout(() => stop.abort(), 300)),
    });
    const run = fixture.copyData.run(fixture.request({ mode: 'Upsert', signal: stop.signal }), hooks);
    const { reason } = await copyRefusalOf(run).finally(lock.release);
    expect(reason).toBe('cancelled');
    expect(await target()).toEqual(before);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('processes the first rows and rolls back if it is a trial', async () => {
    const { hooks, told: calls } = fixture.hooks();
    const end = await fixture.copyData.run(fixture.request({ mode: 'Upsert', isTrial: true }), hooks);
    expect(end.outcome?.counts).toEqual({ inserted: 999, updated: 1, unchanged: 0, deleted: 0 });
    expect([end.outcome?.rowsRead, calls.committed]).toEqual([1_000, 0]);
    expect(await target()).toEqual(before);
    expect(await fixture.leftovers()).toEqual([]);
  });
});

describe('rows that cannot be written', () => {
  beforeEach(() =>
    sql(`alter table dst.t add check (amount > 3), alter column name type varchar(9), alter column name set not null;
      update src.t set name = null where id = 5000; update src.t set amount = 100 where id = 2`),
  );

  it('are skipped one by one and reported with number, key, column and code', async () => {
    const { hooks, told: calls } = fixture.hooks();
    const request = fixture.request({ mode: 'Upsert', onRejectedRow: 'Skip', rejectedRowsMax: 2_010 });
    const { outcome } = await fixture.copyData.run(request, hooks);
    expect(outcome?.counts).toEqual({ inserted: 9_997, updated: 0, unchanged: 0, deleted: 0 });
    const rejected = calls.rejected.toSorted((one, other) => one.rowNumber - other.rowNumber);
    expect(rejected.filter(({ rowNumber }) => rowNumber < 10_000)).toEqual([
      { rowNumber: 1, key: '1', column: null, code: 'check-failed' },
      { rowNumber: 5_000, key: '5000', column: 'name', code: 'null-value' },
    ]);
    expect(rejected.at(-1)).toEqual({
      rowNumber: 12_000,
      key: '12000',
      column: 'name',
      code: 'too-long',
    });
  });

  it('end the copy if they exceed the limit or may not be skipped', async () => {
    const few = { mode: 'Upsert', onRejectedRow: 'Skip', rejectedRowsMax: 2 } as const;
    for (const change of [few, { ...few, onRejectedRow: 'Fail' } as const, {}]) {
      const { hooks, told: calls } = fixture.hooks();
      const { reason } = await copyRefusalOf(fixture.copyData.run(fixture.request(change), hooks));
      expect(reason).toBe('rejected-rows');
      expect(calls.rejected.length).toBeGreaterThan(0);
    }
    expect(await target()).toEqual([]);
    expect(await fixture.leftovers()).toEqual([]);
  });
});

describe('an incremental copy', () => {
  it('continues after the last value, less the lookback period', async () => {
    const by = { column: 'id', lookbackSeconds: 0 };
    const first = await fixture.copy({ incremental: { ...by, above: null }, mode: 'Upsert' });
    expect(first.watermark).toBe('12000');
    await sql(`insert into src.t values (12001, 'new', 1)`);
    const second = await fixture.copy({
      source: { kind: 'Query', sql: 'select * from src.t; -- all' },
      incremental: { ...by, above: first.watermark },
    });
    expect([second.rowsRead, second.watermark]).toEqual([1, '12001']);
    await sql(
      `alter table src.t add at timestamptz; update src.t set at = timestamptz '2024-01-01 00:00:00.5Z' + id * interval '1 s'`,
    );
    const last = await fixture.copy({
      incremental: { column: 'at', lookbackSeconds: 10, above: '2024-01-01T03:20:00.5Z' },
      mode: 'Upsert',
    });
    expect([last.rowsRead, last.watermark]).toEqual([11, '2024-01-01T03:20:01.5Z']);
  });
});

describe('personal data', () => {
  beforeEach(() =>
    sql(`drop table src.t, dst.t; create table src.t (id int, email text, note text);
      create table dst.t (like src.t); insert into src.t values (1, 'ann@example.com', 'x'), (2, null, 'bob@example.com')`),
  );

  it('is refused by column, or by row where only a value reveals it', async () => {
    expect((await copyRefusalOf(fixture.copy({ personalData: 'Refuse' }))).message).toContain('email');
    const noted = { kind: 'Query', sql: 'select id, note from src.t' } as const;
    const { hooks, told: calls } = fixture.hooks();
    await fixture.copyData.run(
      fixture.request({ personalData: 'Refuse', source: noted, onRejectedRow: 'Skip' }),
      hooks,
    );
    expect(calls.rejected).toEqual([{ rowNumber: 2, key: null, column: 'note', code: 'personal-data' }]);
    expect(await target()).toEqual(['1||x']);
  });

  it('is masked, or copied unchanged and reported', async () => {
    await fixture.copy({ personalData: 'Mask' });
    expect(await target()).toEqual(['1|a***m|x', '2||b***m']);
    const { unmaskedColumns } = await fixture.copy({ personalData: 'Copy', mode: 'Truncate' });
    expect(unmaskedColumns).toEqual(['email']);
    expect(await target()).toEqual(['1|ann@example.com|x', '2||bob@example.com']);
  });
});
