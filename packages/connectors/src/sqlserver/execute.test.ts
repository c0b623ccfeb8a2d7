import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hasPrograms } from '../../../../tools/test/programs.ts';
import type { BoundValue } from '../bound-value.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { sqlserverMarker } from './parameters.ts';
import { openSession, rowsOf as rowsOfAnswer } from './session.ts';
import { password, useSqlserver } from './testing/service.ts';

const { server, connector, connectionOf, optionsOf, read } = useSqlserver();

/** Returns a reader of the kinds of later events. */
const watchKinds = () => {
  const events = server().watch();
  return () => events().map(({ kind }) => kind);
};

describe('a SQL Server read', () => {
  it('returns columns and rows with every digit', async () => {
    const result = await read('select * from [dbo].[orders] order by id desc', [], { wantOrigins: true });
    expect(result.columns.map(({ name, kind, databaseType }) => `${name} ${kind} ${databaseType}`)).toEqual([
      'id integer bigint',
      'customer_id integer int',
      'status text nvarchar',
      'total decimal decimal(38,10)',
      'price decimal money',
      'placed timestamp datetime2(7)',
      'sent timestamptz datetimeoffset(7)',
      'day date date',
      'is_paid boolean bit',
      'weight float float',
      'photo binary varbinary',
    ]);
    expect(result.columns[0]?.origin).toBeNull();
    expect(await rowsOf(result)).toEqual([
      [
        '9223372036854775807',
        1,
        'paid ',
        '2126764793255865396646091296.4485513215',
        '922337203685477.5807',
        '9999-12-31T23:59:59.9999999',
        '2024-07-01T10:00:00.1234567Z',
        '2024-07-01',
        true,
        0.1,
        '00ff',
      ],
      [3, ...Array.from({ length: 10 }, () => null)],
      [
        2,
        2,
        'new',
        -0.5,
        -0.0001,
        '0001-01-01T00:00:00.0000001',
        '2024-07-02T00:00:00.0000000Z',
        '0001-01-01',
        false,
        2.5,
        null,
      ],
    ]);
  });

  it('passes values as parameters of the narrowest type', async () => {
    const values: BoundValue[] = [
      { type: 'Number', value: '2' },
      { type: 'String', value: "x' or 1 = 1 --" },
      { type: 'Boolean', value: false },
      { type: 'String', value: null },
    ];
    const sql = `select id, @p2 as t, @p4 as n from dbo.orders where id = cast(@p1 as int) and is_paid = cast(@p3 as bit)`;
    expect(await rowsOf(await read(sql, values))).toEqual([[2, "x' or 1 = 1 --", null]]);
    const typeOf = (value: string) => sqlserverMarker(1, { type: 'Number', value });
    expect(['1', '-2147483648', '9999999999', '1234567890123456789', '-12.50', '1e99'].map(typeOf)).toEqual([
      'cast(@p1 as int)',
      'cast(@p1 as bigint)',
      'cast(@p1 as bigint)',
      'cast(@p1 as decimal(38, 0))',
      'cast(@p1 as decimal(4, 2))',
      'cast(@p1 as float)',
    ]);
  });

  it('runs in a transaction that is rolled back', async () => {
    const kinds = watchKinds();
    await rowsOf(await read('select 1 as one'));
    await expect.poll(kinds).toContain('closed');
    expect(kinds()).toEqual([
      'prelogin',
      'login',
      'batch',
      'batch',
      'procedure',
      'procedure',
      'batch',
      'rolled back',
      'closed',
    ]);
  });

  it('fails with the message of the engine, and with the position if the engine provides one', async () => {
    expect(await errorOf(read('select 1 as one,\n  nope\nfrom dbo.orders'))).toMatchObject({
      code: 'statement-failed',
      message: "Invalid column name 'nope'.",
      engineCode: '207',
      position: { offset: 19, line: 2, column: 3 },
    });
    expect(await errorOf(read('select 1 as one\nfrom dbo.missing'))).toMatchObject({
      engineCode: '208',
      position: { line: 2, column: 10 },
    });
    expect(await errorOf(read('select 1 as one\nfrom from'))).toMatchObject({ engineCode: '102' });
  });

  it('ends at its limits of rows, bytes and value size', async () => {
    const endless = 'select n from endless';
    expect((await errorOf(read(endless, [], { maxRows: 5_000 }).then(rowsOf))).code).toBe('too-many-rows');
    expect((await errorOf(read(endless, [], { maxBytes: 50_000 }).then(rowsOf))).code).toBe('too-many-bytes');
    const wide = `select 'abcdefghij' as a from dbo.customers`;
    expect((await errorOf(read(wide, [], { maxCellBytes: 10 }).then(rowsOf))).code).toBe('value-too-large');
  });

  it('uses bounded memory while the caller reads no further rows', async () => {
    const result = await read('select n from endless', [], { timeoutMs: 20_000 });
    const before = process.memoryUsage().rss;
    const iterator = result.batches[Symbol.asyncIterator]();
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    await result.close();
  });
});

describe('the end of a SQL Server statement', () => {
  it.each(['slow', 'endless'])(
    'stops the statement at the server when it is cancelled, before the statement ends: %s',
    async (table) => {
      const events = server().watch();
      const kinds = watchKinds();
      const controller = new AbortController();
      const running = read(`select n from ${table}`, [], { signal: controller.signal }).then(rowsOf);
      running.catch(() => undefined);
      await expect.poll(() => events().some(({ text }) => text?.includes(`from ${table}`))).toBe(true);
      controller.abort();
      expect((await errorOf(running)).code).toBe('cancelled');
      await expect.poll(kinds).toContain('stopped');
      await expect.poll(kinds).toContain('closed');
      expect(kinds().filter((kind) => /^(attention|stopped|closed)$/.test(kind))).toEqual([
        'attention',
        'stopped',
        'closed',
      ]);
    },
  );

  it('stops the statement at the time limit and after its rows are abandoned', async () => {
    const kinds = watchKinds();
    expect((await errorOf(read('select n from slow', [], { timeoutMs: 500 }))).code).toBe('timed-out');
    await expect.poll(kinds).toContain('stopped');
    const again = watchKinds();
    for await (const _batch of (await read('select n from endless')).batches) break;
    await expect.poll(again).toContain('stopped');
  });
});

describe('the SQL Server login', () => {
  it('is refused before the statement if it has write rights, unless the settings accept it', async () => {
    const events = server().watch();
    const refused = await errorOf(
      connector.execute(connectionOf({ user: 'writer' }), { sql: 'select 42 as n' }, optionsOf()),
    );
    expect(refused.code).toBe('login-may-write');
    expect(refused.message).toContain('INSERT, db_datawriter');
    expect(events().some(({ text }) => text?.includes('42'))).toBe(false);
    const accepted = connectionOf({ user: 'writer', acceptWritingLogin: true });
    expect(await rowsOf(await connector.execute(accepted, { sql: 'select 42 as n' }, optionsOf()))).toEqual([
      [42],
    ]);
    expect(await connector.testConnection(accepted, optionsOf())).toMatchObject({
      isOk: true,
      serverVersion: 'SQL Server 16.0.4135.4',
      warnings: [{ code: 'may-write' }, { code: 'not-encrypted' }],
    });
    expect(
      await connector.testConnection(connectionOf({ user: 'sa', acceptWritingLogin: true }), optionsOf()),
    ).toMatchObject({
      warnings: [{ code: 'superuser' }, { code: 'reads-server-files' }, { code: 'not-encrypted' }],
    });
  });

  it('is reported through noteLogin instead of a refusal if the caller passes it', async () => {
    const noted: boolean[] = [];
    const noteLogin = (mayWrite: boolean) => void noted.push(mayWrite);
    for (const user of ['writer', 'reader'])
      await rowsOf(
        await connector.execute(connectionOf({ user }), { sql: 'select 1 as n' }, optionsOf({ noteLogin })),
      );
    expect(noted).toEqual([true, false]);
  });

  it.each([
    [{ password: 'wrong' }, 'authentication-failed'],
    [{ user: 'nobody' }, 'authentication-failed'],
    [{ database: 'other' }, 'database-not-found'],
    [{ user: 'old' }, 'connection-failed'],
    [{ tlsMode: 'Require' as const }, 'tls-failed'],
    [{ tlsMode: 'VerifyFull' as const }, 'tls-failed'],
  ])('with %j fails with %s, without the password', async (change, code) => {
    const test = await connector.testConnection(connectionOf(change), optionsOf());
    expect(test).toMatchObject({ isOk: false, error: { code } });
    expect(JSON.stringify(test) + String(!test.isOk && test.error.message)).not.toContain(password);
  });
});

it('a write without the gate is rolled back', async () => {
  const kinds = watchKinds();
  const session = await openSession(connectionOf(), optionsOf());
  const limits = { maxBytes: 10_000, maxCellBytes: 1_000 };
  await rowsOfAnswer(session.ask('delete from dbo.customers where id = 99', [], limits));
  await session.finish();
  await expect.poll(kinds).toContain('rolled back');
});

describe.skipIf(
  !hasPrograms({ tests: 'a test of the server of ours', programs: ['tsql'], debianPackage: 'freetds-bin' }),
)('the simulated SQL Server of these tests', () => {
  it('is accepted by FreeTDS as a SQL Server', () => {
    const argv = [
      '-H',
      '127.0.0.1',
      '-p',
      String(server().port),
      '-U',
      'reader',
      '-P',
      password,
      '-D',
      'shop',
    ];
    const { stdout, stderr } = spawnSync('tsql', [...argv, '-o', 'q'], {
      env: { ...process.env, TDSVER: '7.4' },
      input:
        'select id, email from customers\ngo\nselect nope from customers\ngo\nselect total from orders\ngo\n',
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(stdout).toContain('1\tann@example.com\n2\tbob@example.com');
    expect(stdout).toContain('2126764793255865396646091296.4485513215');
    expect(stderr).toContain("Invalid column name 'nope'.");
  });
});
