import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CopyRequest } from './index.ts';
import { type CopyFixture, copyRefusalOf, startCopyFixture } from './testing.ts';

let fixture: CopyFixture;

beforeAll(async () => {
  fixture = await startCopyFixture();
});
afterAll(() => fixture.close());

const sql = (text: string) => fixture.admin.query(text);
const query = (text: string) => ({ source: { kind: 'Query', sql: text } }) as const;
const difference = () =>
  fixture.texts('(table src.t except all table dst.t) union all (table dst.t except all table src.t)');

/** Runs a copy. Returns its outcome and whether its rows were passed through. */
async function copied(change: Partial<CopyRequest> = {}) {
  const before = fixture.passedThrough();
  const outcome = await fixture.copy(change);
  return { ...outcome, isUnread: fixture.passedThrough() > before };
}

beforeEach(() =>
  sql(`drop table if exists src.t, dst.t;
    create table src.t (id int, name varchar(20), amount numeric(12, 2), at timestamptz);
    create table dst.t (like src.t);
    insert into src.t select n, 'name ' || n, n * 1.50, timestamptz '2026-01-01 00:00Z' + n * interval '1.5 s'
      from generate_series(1, 20000) as n; insert into src.t values (null, null, null, null)`),
);

describe('rows between equal types', () => {
  it.each(['Insert', 'Upsert', 'Truncate', 'Sync'] as const)(
    'pass unread and arrive exactly in mode %s',
    async (mode) => {
      await sql('delete from src.t where id is null; alter table dst.t add primary key (id)');
      const { isUnread, rowsRead, bytesRead, counts } = await copied({ mode });
      expect({ isUnread, rowsRead, inserted: counts.inserted }).toEqual({
        isUnread: true,
        rowsRead: 20_000,
        inserted: 20_000,
      });
      expect(bytesRead).toBeGreaterThan(500_000);
      expect(await difference()).toEqual([]);
      expect(await fixture.leftovers()).toEqual([]);
    },
  );

  it('pass unread if the source has no row, one row or a comment at its end', async () => {
    for (const [text, rows] of [
      ['select * from src.t where id < 0', 0],
      ['(select * from src.t where id is null) -- the one', 1],
      ['with third as (select * from src.t where id = 3) table third; -- ends here', 1],
    ] as const) {
      const { isUnread, rowsRead, counts } = await copied(query(text));
      expect([text, isUnread, rowsRead, counts.inserted]).toEqual([text, true, rows, rows]);
    }
    expect(
      (
        await copyRefusalOf(
          fixture.copy({ ...query('select * from src.t where false'), minimumSourceRows: 1 }),
        )
      ).reason,
    ).toBe('empty-source');
  });

  it('pass unread into columns with another order and other names', async () => {
    await sql('alter table dst.t rename column name to "La""bel"; alter table dst.t drop column at');
    const columns = [
      { from: 'amount', to: 'amount' },
      { from: 'name', to: 'La"bel' },
      { from: 'id', to: 'id' },
    ];
    expect(await copied({ columns, ...query('select *, 1 as id2 from src.t -- all') })).toMatchObject({
      isUnread: true,
      rowsRead: 20_001,
    });
    expect(
      await fixture.texts(
        '(select id, name, amount from src.t except all table dst.t) union all (table dst.t except all select id, name, amount from src.t)',
      ),
    ).toEqual([]);
  });

  it('pass unread into a table that the copy creates and into columns without a length', async () => {
    await sql('drop table dst.t');
    const text =
      'select id::bigint as id, amount::numeric(9, 1) as amount, name::text as name, at from src.t';
    expect(await copied({ createsTable: true, ...query(text) })).toMatchObject({ isUnread: true });
    expect(await fixture.texts('select count(*), sum(id), count(name), max(at) from dst.t')).toEqual(
      await fixture.texts('select count(*), sum(id), count(name), max(at) from src.t'),
    );
  });

  it('pass unread as texts into wider types', async () => {
    await sql(`drop table src.t, dst.t;
      create table src.t (a smallint, b integer, c bigint, d varchar(4), e char(4), f text, g uuid, h json, i jsonb, j date,
        k timestamp, l timestamptz, m varchar(4), n timestamptz(3), o numeric(10, 2));
      create table dst.t (a numeric, b double precision, c text, d text, e text, f varchar, g text, h text, i json,
        j timestamptz, k timestamptz, l timestamp, m varchar(9), n timestamptz(5), o text);
      insert into src.t select -32768, 2147483647, 9223372036854775807, 'a\tb\n'::varchar(4), 'x', E'a\tb\\N\n\\.', gen_random_uuid(),
        '{"a":  1e400}', '{"b": 1.10}', date '2024-02-29', '2024-02-29 01:02:03.000004', '2024-02-29 01:02:03.5+05', 'é🙂', now(), 1.50;
      insert into src.t (a) values (null), (7)`);
    expect(await copied({ source: { kind: 'Table', schema: 'src', table: 't' } })).toMatchObject({
      isUnread: true,
      rowsRead: 3,
      counts: { inserted: 3 },
    });
    await sql("set timezone = 'UTC'");
    const exact = `select a::numeric, b::float8, c::text, d::text, e, f, g::text, h::text, i::text, j::timestamp at time zone 'UTC',
      k at time zone 'UTC', l at time zone 'UTC', m, n, o::text`;
    expect(
      await fixture.texts('select a, b, c, d, e::char(4), f, g, h, i, j, k, l, m, n, o from dst.t'),
    ).toEqual(await fixture.texts(`${exact} from src.t`));
  });

  it('pass unread despite a check for personal data if their types cannot contain any', async () => {
    const text = 'select at, amount is null as amount from src.t';
    await sql('drop table dst.t; create table dst.t (at timestamptz, amount boolean)');
    expect(await copied({ personalData: 'Refuse', ...query(text) })).toMatchObject({ isUnread: true });
  });
});

describe('rows that cannot pass unread', () => {
  it.each<[string, Partial<CopyRequest>]>([
    ['where personal data is masked', { personalData: 'Mask' }],
    ['where personal data is refused', { personalData: 'Refuse' }],
    ['where the copy may skip a row', { onRejectedRow: 'Skip' }],
    [
      'where the next copy continues after the last value',
      { incremental: { column: 'at', lookbackSeconds: 0, above: null } },
    ],
    ['in a trial', { isTrial: true }],
  ])('are read one by one %s', async (_title, change) => {
    expect(await copied({ ...query('select id, amount, at from src.t'), ...change })).toMatchObject({
      isUnread: false,
    });
  });

  it.each([
    ['a narrower type', 'id type smallint'],
    ['a type with another text format', 'at type text'],
    ['a type with a precision', 'id type numeric(9, 0)'],
    ['a shorter text', 'name type varchar(19)'],
    ['fewer decimal places', 'amount type numeric(12, 1)'],
    ['fewer digits of a second', 'at type timestamptz(3)'],
  ])('are read one by one where the destination has %s', async (_title, change) => {
    await sql(`delete from src.t where id > 1 and amount = 3; alter table dst.t alter column ${change}`);
    const before = fixture.passedThrough();
    await fixture.copy(query('select * from src.t where id % 2 = 0 limit 100'));
    expect(fixture.passedThrough()).toBe(before);
    expect(await fixture.texts('select count(*) from dst.t')).toEqual(['100']);
  });

  it('are read one by one where a type can differ between servers, such as money and an enum', async () => {
    await sql(`drop table src.t, dst.t; create type src.level as enum ('low', 'high');
      create table src.t (m money, l src.level); create table dst.t (like src.t); insert into src.t values (1.50, 'high')`);
    expect(await copied(query('select m from src.t'))).toMatchObject({ isUnread: false });
    expect(await copied(query('select l from src.t'))).toMatchObject({ isUnread: false });
    await sql('drop type src.level cascade');
  });

  it('are read one by one where COPY does not accept the statement', async () => {
    await sql('drop table dst.t; create table dst.t (server_version text)');
    expect(await copied(query('show server_version'))).toMatchObject({ isUnread: false, rowsRead: 1 });
  });
});

describe('a copy whose rows pass unread', () => {
  const refused = async (change: Partial<CopyRequest>) => {
    const before = fixture.passedThrough();
    const { hooks, told: calls } = fixture.hooks();
    const refusal = await copyRefusalOf(fixture.copyData.run(fixture.request(change), hooks));
    expect(await fixture.texts('select count(*) from dst.t')).toEqual(['0']);
    expect(await fixture.leftovers()).toEqual([]);
    return {
      reason: refusal.reason,
      message: refusal.message,
      rejected: calls.rejected,
      isUnread: fixture.passedThrough() > before,
    };
  };

  it.each(['Insert', 'Truncate'] as const)(
    'reports the first row that the destination rejects in mode %s',
    async (mode) => {
      await sql('alter table dst.t add check (amount <> 15000), alter column name set not null');
      expect(await refused({ mode })).toMatchObject({
        reason: 'rejected-rows',
        isUnread: true,
        rejected: [{ rowNumber: 10_000, key: null, column: null, code: 'check-failed' }],
      });
      await sql('update src.t set amount = 1, name = null where id = 10000');
      expect(await refused({ mode })).toMatchObject({
        rejected: [{ rowNumber: 10_000, key: null, column: 'name', code: 'null-value' }],
      });
    },
  );

  it('fails if the source fails half-way', async () => {
    const text = 'select id, name, (amount / (id - 15000))::numeric(12, 2) as amount, at from src.t';
    const { reason, message, isUnread } = await refused(query(text));
    expect([reason, isUnread]).toEqual(['source-failed', true]);
    expect(message).toContain('division by zero');
  });

  it('fails if the destination fails half-way, and repeats no text of the trigger', async () => {
    await sql(`create function dst.fail() returns trigger language plpgsql as
        $$ begin if new.id = 15000 then raise 'the disk is full' using errcode = '53100'; end if; return new; end $$;
      create trigger fail before insert on dst.t for each row execute function dst.fail()`);
    const { reason, message, isUnread } = await refused({});
    expect([reason, isUnread]).toEqual(['destination-failed', true]);
    // The message contains the engine's code, and no text from the trigger.
    expect(message).toContain('53100');
    expect(message).not.toContain('the disk is full');
    await sql('drop function dst.fail cascade');
  });

  it('is refused if a row exceeds the size limit', async () => {
    await sql('alter table src.t alter name type text; alter table dst.t alter name type text');
    const large = await refused(
      query(
        "select id, case when id = 15000 then repeat('x', 40000000) else name end as name, amount, at from src.t",
      ),
    );
    expect(large).toMatchObject({ reason: 'source-failed', isUnread: true });
  });

  it.each(['cancelled', 'timeout'] as const)(
    'ends at both servers before the source statement ends: %s',
    async (reason) => {
      const stop = new AbortController();
      const text =
        'select id, name, amount, at from src.t where case when id = 12000 then pg_sleep(600) is not null else true end';
      const running = refused({
        ...query(text),
        signal: stop.signal,
        timeoutMs: reason === 'timeout' ? 1_500 : 600_000,
      });
      if (reason === 'cancelled') setTimeout(() => stop.abort(), 1_500);
      expect(await running).toMatchObject({ reason, isUnread: true });
      expect(
        await fixture.texts(
          `select query from pg_stat_activity where datname = current_database() and application_name = 'svc'
          and state = 'active'`,
        ),
      ).toEqual([]);
    },
  );

  it('leaves the connection usable for the next copy', async () => {
    for (let copy = 0; copy < 3; copy++) {
      await sql('truncate dst.t');
      expect(await copied()).toMatchObject({ isUnread: true, rowsRead: 20_001 });
    }
    expect(await difference()).toEqual([]);
  });
});
