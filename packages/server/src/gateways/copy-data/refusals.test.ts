import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CopyIssueCode, CopyRequest } from './index.ts';
import { type CopyFixture, copyRefusalOf, startCopyFixture } from './testing.ts';

let fixture: CopyFixture;
let me: string;

beforeAll(async () => {
  fixture = await startCopyFixture();
  const [user = ''] = await fixture.texts('select current_user');
  me = pg.escapeIdentifier(user);
});
afterAll(() => fixture.close());

const sql = (text: string) => fixture.admin.query(text);
const table = { kind: 'Table', schema: 'src', table: 't' } as const;
const query = (text: string) => ({ source: { kind: 'Query', sql: text } }) as const;
const sync = { mode: 'Sync', deletedShareMax: 1 } as const;
const call = () => ({ signal: new AbortController().signal, timeoutMs: 30_000 });

beforeEach(() =>
  sql(`drop table if exists src.t, dst.t cascade; drop view if exists dst.v;
    create table src.t (id int primary key, name text, at timestamptz);
    create table dst.t (id int primary key, name text, at timestamptz);
    insert into src.t select n, 'name ' || n, timestamptz '2026-01-01 00:00Z' + n * interval '1 s'
      from generate_series(1, 10) n; insert into dst.t values (1, 'stands', null)`),
);

type Refused = {
  readonly code: CopyIssueCode;
  readonly title: string;
  readonly before?: string;
  readonly change?: Partial<CopyRequest>;
  readonly column?: string;
};

/** Definitions that are refused before any row is read, each with its minimal cause. */
const refused: readonly Refused[] = [
  { code: 'same-table', title: 'a table into itself', change: { source: { ...table, schema: 'dst' } } },
  { code: 'no-destination', title: 'a missing table', before: 'drop table dst.t' },
  {
    code: 'not-a-table',
    title: 'a view',
    before: 'create view dst.v as table dst.t',
    change: { destination: { schema: 'dst', table: 'v' } },
  },
  {
    code: 'missing-privilege',
    title: 'a login that may not insert',
    before: 'revoke insert on dst.t from ME',
  },
  {
    code: 'missing-privilege',
    title: 'a login that may not delete, for Sync',
    before: 'revoke delete on dst.t from ME',
    change: sync,
  },
  {
    code: 'missing-privilege',
    title: 'a login that may not truncate, for Truncate',
    before: 'revoke truncate on dst.t from ME',
    change: { mode: 'Truncate' },
  },
  {
    code: 'missing-privilege',
    title: 'a login that may not create a table in the schema',
    before: 'revoke create on schema dst from ME',
  },
  {
    code: 'missing-privilege',
    title: 'a missing schema for a new table',
    change: { destination: { schema: 'nowhere', table: 't' }, createsTable: true },
  },
  {
    code: 'row-security',
    title: 'rows that the login cannot see, for Sync',
    before: 'alter table dst.t enable row level security; alter table dst.t force row level security',
    change: sync,
  },
  { code: 'no-columns', title: 'no common column', change: query('select 1 as nowhere') },
  {
    code: 'column-twice',
    title: 'a source with a duplicate column name',
    change: query('select id, name as at, at from src.t'),
    column: 'at',
  },
  {
    code: 'column-twice',
    title: 'two columns that map to one column',
    change: {
      columns: [
        { from: 'id', to: 'id' },
        { from: 'name', to: 'name' },
        { from: 'id', to: 'name' },
      ],
    },
    column: 'name',
  },
  {
    code: 'source-column-missing',
    title: 'a column that the source does not have',
    change: { columns: [{ from: 'gone', to: 'id' }] },
    column: 'gone',
  },
  {
    code: 'destination-column-missing',
    title: 'a column that the destination does not have',
    change: { columns: [{ from: 'id', to: 'gone' }] },
    column: 'gone',
  },
  {
    code: 'generated-column',
    title: 'a column that the destination computes',
    before: 'alter table dst.t add twice int generated always as (id * 2) stored',
    change: {
      columns: [
        { from: 'id', to: 'id' },
        { from: 'id', to: 'twice' },
      ],
    },
    column: 'twice',
  },
  {
    code: 'column-without-source',
    title: 'a required column without a value',
    before:
      'alter table dst.t add needed int not null default 1; alter table dst.t alter needed drop default',
    column: 'needed',
  },
  {
    code: 'type-not-convertible',
    title: 'types that cannot be converted',
    before: 'alter table dst.t alter name type int using 1',
    column: 'name',
  },
  {
    code: 'key-missing',
    title: 'a destination without a key, for Upsert',
    before: 'alter table dst.t drop constraint t_pkey',
    change: { mode: 'Upsert' },
  },
  {
    code: 'key-missing',
    title: 'a key without a source column',
    change: { mode: 'Upsert', ...query('select name, at from src.t') },
    column: 'id',
  },
  {
    code: 'key-not-unique',
    title: 'columns that are not a unique key',
    change: { mode: 'Upsert', keyColumns: ['name'] },
  },
  {
    code: 'incremental-mode',
    title: 'an incremental copy for Sync',
    change: { ...sync, incremental: { column: 'id', lookbackSeconds: 0, above: null } },
    column: 'id',
  },
  {
    code: 'incremental-mode',
    title: 'a look-back for a mode that only adds rows',
    change: { incremental: { column: 'at', lookbackSeconds: 5, above: null } },
    column: 'at',
  },
  {
    code: 'incremental-column',
    title: 'an incremental copy by a text column',
    change: { incremental: { column: 'name', lookbackSeconds: 0, above: null } },
    column: 'name',
  },
  {
    code: 'incremental-column',
    title: 'a look-back in seconds for a number column',
    change: { incremental: { column: 'id', lookbackSeconds: 5, above: null } },
    column: 'id',
  },
  {
    code: 'personal-data',
    title: 'a column that may hold personal data',
    before: 'alter table src.t add email text; alter table dst.t add email text',
    change: { personalData: 'Refuse' },
    column: 'email',
  },
];

describe('refusals before the first row is read', () => {
  it.each(refused)('$title: $code', async ({ code, before, change, column }) => {
    if (before) await sql(before.replaceAll('ME', me));
    try {
      const requestChange = { source: table, ...change };
      const { issues } = await fixture.copyData.inspect(fixture.request(requestChange), call());
      expect(issues).toContainEqual(
        expect.objectContaining({ severity: 'Error', code, column: column ?? null }),
      );
      const { hooks, told: calls } = fixture.hooks();
      const refusal = await copyRefusalOf(fixture.copyData.run(fixture.request(requestChange), hooks));
      expect([refusal.reason, calls.stages]).toEqual(['schema-changed', ['Validating']]);
    } finally {
      await sql(`grant create on schema dst to ${me}`);
    }
    if (code !== 'no-destination' && code !== 'missing-privilege' && code !== 'row-security')
      expect(await fixture.texts('select count(*) from dst.t')).toEqual(['1']);
    expect(await fixture.leftovers()).toEqual([]);
  });

  it('a table is not copied into itself, even through another data source', async () => {
    const other = { ...fixture.destination, id: 'another' };
    const copyRequest = fixture.request({ source: { ...table, schema: 'dst' }, dataSource: other });
    const { issues } = await fixture.copyData.inspect(copyRequest, call());
    expect(issues.map(({ code }) => code)).toContain('same-table');
  });

  it('the service’s own database is refused as source and as destination', async () => {
    const asSource = await copyRefusalOf(
      fixture.copy({ dataSource: fixture.own, ...query('select 1 as id') }),
    );
    expect([asSource.reason, asSource.message]).toEqual(['source-failed', expect.stringContaining('own')]);
    const asDestination = await copyRefusalOf(
      fixture.copy({ destinationDataSource: fixture.own, destination: { schema: 'public', table: 't' } }),
    );
    expect([asDestination.reason, asDestination.message]).toEqual([
      'destination-failed',
      expect.stringContaining('own'),
    ]);
  });

  it('a source that is not a single read is refused', async () => {
    for (const text of [
      'delete from src.t returning id',
      'select id from src.t; drop table src.t',
      "select 1) to program 'true' --",
      'select id from src.t) to stdout; copy (select 1',
    ]) {
      expect([text, (await copyRefusalOf(fixture.copy(query(text)))).reason]).toEqual([
        text,
        'source-failed',
      ]);
    }
    expect(await fixture.texts('select count(*) from src.t')).toEqual(['10']);
  });
});

describe('warnings of a copy', () => {
  it.each<[CopyIssueCode, string, Partial<CopyRequest>]>([
    [
      'triggers',
      `create or replace function dst.nothing() returns trigger language plpgsql as $$ begin return new; end $$;
        create trigger nothing before insert on dst.t for each row execute function dst.nothing()`,
      {},
    ],
    ['time-zone', 'alter table dst.t alter at type timestamp', {}],
    ['source-column-unused', 'alter table dst.t drop column name', {}],
  ])('do not prevent the copy: %s', async (code, before, change) => {
    await sql(before);
    const requestChange = { source: table, mode: 'Upsert', ...change } as const;
    const { issues } = await fixture.copyData.inspect(fixture.request(requestChange), call());
    expect(issues.map((issue) => [issue.severity, issue.code])).toEqual([['Warning', code]]);
    expect((await fixture.copy(requestChange)).counts).toMatchObject({ inserted: 9 });
  });
});

describe('the allowed share of deleted rows', () => {
  it.each([
    [100, 29, 0.29],
    [10, 2, 0.2],
    [3, 1, 0.3333333333333333],
    [7, 7, 1],
    [5, 0, 0],
  ])(
    'allows Sync to delete up to the share and not one row more: %i rows, %i of them missing, share %d',
    async (rows, gone, deletedShareMax) => {
      const fill = async (from: number) => {
        await sql(`truncate src.t, dst.t; insert into dst.t select n from generate_series(1, ${rows}) n;
        insert into src.t select n from generate_series(${from}, ${rows}) n; insert into src.t values (1000)`);
      };
      const requestChange = { mode: 'Sync', source: table, deletedShareMax } as const;
      await fill(gone + 1);
      expect((await fixture.copy(requestChange)).counts).toMatchObject({ deleted: gone, inserted: 1 });
      if (gone === rows) return;
      await fill(gone + 2);
      expect((await copyRefusalOf(fixture.copy(requestChange))).reason).toBe('too-many-deletes');
      expect(await fixture.texts('select count(*) from dst.t')).toEqual([String(rows)]);
    },
  );
});

describe('an incremental copy', () => {
  const by = (column: string, above: string | null, lookbackSeconds = 0) => ({
    source: table,
    mode: 'Upsert' as const,
    incremental: { column, lookbackSeconds, above },
  });

  it('reads a row without a value once, and continues from the existing values', async () => {
    await sql('update src.t set at = null where id in (4, 10); delete from dst.t');
    const first = await fixture.copy(by('at', null));
    expect([first.rowsRead, first.watermark]).toEqual([10, '2026-01-01T00:00:09Z']);
    const second = await fixture.copy(by('at', first.watermark));
    expect([second.rowsRead, second.watermark]).toEqual([0, null]);
    await sql('update src.t set at = null');
    expect(await fixture.copy(by('at', null))).toMatchObject({ rowsRead: 10, watermark: null });
  });

  it('omits rows with the last value unless the lookback period includes them', async () => {
    await sql(
      "insert into src.t select n, 'late', timestamptz '2026-01-01 00:00:10Z' from generate_series(11, 13) n",
    );
    const last = '2026-01-01T00:00:10Z';
    expect((await fixture.copy(by('at', last))).rowsRead).toBe(0);
    const again = await fixture.copy(by('at', last, 1));
    expect([again.rowsRead, again.counts.inserted, again.watermark]).toEqual([4, 4, last]);
    expect((await fixture.copy(by('at', last, 1))).counts).toMatchObject({ inserted: 0, unchanged: 4 });
  });

  it('distinguishes microseconds', async () => {
    await sql("update src.t set at = timestamptz '2026-01-01 00:00Z' + id * interval '1 microsecond'");
    const first = await fixture.copy(by('at', '2026-01-01T00:00:00.000007Z'));
    expect([first.rowsRead, first.watermark]).toEqual([3, '2026-01-01T00:00:00.00001Z']);
    expect((await fixture.copy(by('at', first.watermark))).rowsRead).toBe(0);
  });

  it('supports numbers of any size, and days', async () => {
    await sql(`alter table src.t add big bigint, add exact numeric, add day date;
      update src.t set big = 9007199254740990 + id, exact = id * 1.5e20 + 0.25, day = date '2026-01-01' + id`);
    const text = { source: { kind: 'Query', sql: 'select id, big, exact, day from src.t -- all' } } as const;
    const big = await fixture.copy({ ...by('big', '9007199254740997'), ...text });
    expect([big.rowsRead, big.watermark]).toEqual([3, '9007199254741000']);
    const exact = await fixture.copy({ ...by('exact', '1200000000000000000000.25'), ...text });
    expect([exact.rowsRead, exact.watermark]).toEqual([2, '1500000000000000000000.25']);
    const day = await fixture.copy({ ...by('day', '2026-01-10', 86_400), ...text });
    expect([day.rowsRead, day.watermark]).toEqual([2, '2026-01-11']);
  });
});
