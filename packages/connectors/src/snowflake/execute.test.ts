import { startSnowflakeServer } from '@svc/testkit/database/snowflake/server.ts';
import { shopAnswer } from '@svc/testkit/database/snowflake/shop.ts';
import { describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useSnowflake } from './testing/service.ts';

const { server, authority, connector, connectionOf, optionsOf, execute, statementsSince } = useSnowflake();

describe('a Snowflake statement', () => {
  it('returns its columns, and values with all their digits', async () => {
    const result = await execute('select * from customers', { wantOrigins: true });
    expect(result.columns).toEqual([
      { name: 'ID', kind: 'integer', databaseType: 'NUMBER(38,0)', origin: null },
      { name: 'EMAIL', kind: 'text', databaseType: 'VARCHAR(200)', origin: null },
      { name: 'BALANCE', kind: 'decimal', databaseType: 'NUMBER(38,10)', origin: null },
    ]);
    expect(await rowsOf(result)).toEqual([
      ['1234567890123456789', 'ann@example.com', '2126764793255865396646091296.4485513215'],
      [2, 'bob@example.com', 0.1],
    ]);
  });

  it('is sent as one statement with role, time zone and limit of the run, and nothing else', async () => {
    await rowsOf(await execute('select 1', { timeoutMs: 7_900 }, { schema: '"sales"' }));
    expect(server().submissions.at(-1)).toEqual({
      statement: 'select 1',
      role: 'READER',
      warehouse: 'WORK',
      database: 'SHOP',
      schema: 'sales',
      // Rounded up from the rest of the time limit, plus one second.
      timeout: expect.toBeOneOf([8, 9]),
      parameters: {
        multi_statement_count: 1,
        timezone: 'UTC',
        binary_output_format: 'HEX',
        rows_per_resultset: 0,
        query_tag: 'svc',
      },
    });
    const submitted = server().asked.filter((request) => request.startsWith('POST /api/v2/statements?'));
    expect(
      submitted.every((request) => /[?&]nullable=true/.test(request) && /[?&]async=true/.test(request)),
    ).toBe(true);
    expect(new Set(submitted).size).toBe(submitted.length);
  });

  it('is requested only from the configured host, never from a URL in a response', async () => {
    await rowsOf(await execute('select 1'));
    const otherServer = await startSnowflakeServer({
      authority: authority(),
      answer: shopAnswer,
      accessTokens: ['t'],
      pendingPolls: 3,
    });
    const connection = connectionOf({ signIn: 'AccessToken', privateKey: '', accessToken: 't' });
    const { caCertificate } = otherServer;
    const options = optionsOf({ dial: otherServer.dial });
    await rowsOf(await connector().execute({ ...connection, caCertificate }, { sql: 'select 1' }, options));
    const paths = otherServer.asked.map((request) => request.replaceAll(/[\da-f]{8}-[-\da-f]{27}|\?.*/g, ''));
    expect(new Set(paths)).toEqual(new Set(['POST /api/v2/statements', 'GET /api/v2/statements/']));
    expect(paths.filter((path) => path.startsWith('GET'))).toHaveLength(4 * otherServer.submissions.length);
    expect(otherServer.faults).toEqual([]);
    await otherServer.stop();
  });

  it('passes values as parameters, never in its text', async () => {
    const values: readonly BoundValue[] = [
      { type: 'Number', value: '-12.50' },
      { type: 'Number', value: '9'.repeat(40) },
      { type: 'DateTime', value: '2024-02-29T12:00:00.5Z' },
      { type: 'Date', value: '2024-02-29' },
      { type: 'String', value: "'; drop table customers --" },
      { type: 'Boolean', value: true },
      { type: 'Number', value: null },
    ];
    const markers = values.map((value, index) => connector().dialect.marker(index + 1, value));
    const sql = `select bound, ${markers.join(', ')} from t`;
    const result = await connector().execute(connectionOf(), { sql, values }, optionsOf());
    const [[statement, bindings] = []] = await rowsOf(result);
    expect(statement).toBe(
      "select bound, cast(? as number(4, 2)), cast(? as float), to_timestamp_ltz(?, 'YYYY-MM-DD HH24:MI:SS.FF9'), to_date(?, 'YYYY-MM-DD'), ?, cast(? as boolean), cast(? as number(1, 0)) from t",
    );
    const bound = (value: string | null) => ({ type: 'TEXT', value });
    expect(JSON.parse(String(bindings))).toEqual({
      1: bound('-12.50'),
      2: bound('9'.repeat(40)),
      3: bound('2024-02-29 12:00:00.500000000'),
      4: bound('2024-02-29'),
      5: bound("'; drop table customers --"),
      6: bound('true'),
      7: bound(null),
    });
  });

  it('returns the rows of all parts in batches of at most 2,000', async () => {
    const sizes: number[] = [];
    const seen: unknown[] = [];
    for await (const { rowCount, columns } of (await execute('select * from many_parts')).batches) {
      sizes.push(rowCount);
      seen.push(...(columns[0] ?? []));
    }
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, at) => at));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  });

  it('is explained inside another query before its first run only, and sent without comments', async () => {
    const first = await statementsSince(async () => rowsOf(await execute('select 1 as a -- end')));
    expect(first.slice(-2)).toEqual([
      'explain using json\nselect * from (\nselect 1 as a       \n)',
      'select 1 as a       ',
    ]);
    const again = await statementsSince(async () => rowsOf(await execute('select 1 as a -- end')));
    expect(again).toEqual(['select 1 as a       ']);
    const others = await statementsSince(async () =>
      rowsOf(await execute('select 1 as a -- end', {}, { schema: 'other' })),
    );
    expect(others.filter((sql) => sql.startsWith('explain'))).toHaveLength(1);
    const ended = await statementsSince(async () => rowsOf(await execute('select 2; -- end')));
    expect(ended.slice(-2)).toEqual([
      'explain using json\nselect * from (\nselect 2        \n)',
      'select 2;       ',
    ]);
  });

  it('does not run if its plan contains a write', async () => {
    const sent = await statementsSince(async () => {
      expect(await errorOf(execute('select planned_to_write from t'))).toMatchObject({ code: 'not-a-read' });
    });
    expect(sent).not.toContain('select planned_to_write from t');
  });

  it('fails with the message of the service, its code and its position', async () => {
    const error = await errorOf(execute("select '😀',\n  no_such_column from t"));
    expect(error).toMatchObject({
      code: 'statement-failed',
      engineCode: '000904',
      position: { line: 2, column: 3 },
      message: expect.stringContaining("invalid identifier 'NO_SUCH_COLUMN'"),
    });
    expect(await errorOf(execute('select failing from t'))).toMatchObject({
      code: 'statement-failed',
      engineCode: '100038',
      message: "Numeric value 'x' is not recognized",
    });
  });

  it('has a plan with the tables and sizes of its steps, without values', async () => {
    const { plan } = connector().dryRun ?? {};
    const rows = await rowsOf(await execute(`${plan?.prefix}select id from orders`));
    const read = plan?.readPlan(rows);
    expect(read).toMatchObject({
      writes: false,
      estimatedCost: 4_096,
      nodes: [
        { depth: 0, label: 'Result' },
        { depth: 1, label: 'Table Scan on SHOP.PUBLIC.ORDERS (3 of 10 partitions)', estimatedCost: 4_096 },
      ],
    });
    expect(JSON.stringify(read)).not.toContain('a value of it');
    const prefix = plan?.prefix ?? '';
    const refused = await errorOf(execute(`${prefix}select no_such_column`));
    expect(refused.position).toMatchObject({ offset: prefix.length + 'select '.length });
    expect(await errorOf(execute(`${prefix}delete from t`))).toMatchObject({
      code: 'not-a-read',
      position: { offset: prefix.length },
    });
  });

  it('fails when it reaches a limit', async () => {
    const limited = async (sql: string, change: Partial<ExecuteOptions>) =>
      (await errorOf(execute(sql, change).then(rowsOf))).code;
    expect(await limited('select * from many_parts', { maxRows: 4_999 })).toBe('too-many-rows');
    expect(await limited('select * from many_parts', { maxBytes: 20_000 })).toBe('too-many-bytes');
    expect(await limited('select * from customers', { maxCellBytes: 20 })).toBe('value-too-large');
  });
});

describe('a running Snowflake statement', () => {
  const sql = 'select endless from t';
  const stateRequests = (since: number) =>
    server()
      .asked.slice(since)
      .filter((request) => request.startsWith('GET '));

  it('is cancelled at the service without a further request for its state', async () => {
    const controller = new AbortController();
    const before = server().cancelled.size;
    const running = errorOf(execute(sql, { signal: controller.signal }));
    await expect.poll(() => server().submissions.at(-1)?.statement).toBe(sql);
    const askedBefore = server().asked.length;
    controller.abort();
    expect((await running).code).toBe('cancelled');
    await expect.poll(() => server().cancelled.size).toBe(before + 1);
    // One request for the state may already have been sent.
    expect(stateRequests(askedBefore).length).toBeLessThan(2);
  });

  it('is cancelled at the service at its time limit', async () => {
    const before = server().cancelled.size;
    expect((await errorOf(execute(sql, { timeoutMs: 900 }))).code).toBe('timed-out');
    await expect.poll(() => server().cancelled.size).toBe(before + 1);
  });

  it('is cancelled even if the service has not yet returned its handle', async () => {
    await rowsOf(await execute('select 1'));
    const before = server().cancelled.size;
    const controller = new AbortController();
    const release = server().withhold(sql);
    const running = errorOf(execute(sql, { signal: controller.signal }));
    await expect.poll(() => server().submissions.at(-1)?.statement).toBe(sql);
    controller.abort();
    // The response is still withheld, so the caller does not wait for it.
    expect((await running).code).toBe('cancelled');
    expect(server().cancelled.size).toBe(before);
    release();
    await expect.poll(() => server().cancelled.size).toBe(before + 1);
  });

  it('is not cancelled after its result is available, even if the reader stops early', async () => {
    const before = server().cancelled.size;
    const result = await execute('select * from many_parts');
    for await (const _batch of result.batches) break;
    await result.close();
    expect(server().cancelled.size).toBe(before);
  });
});
