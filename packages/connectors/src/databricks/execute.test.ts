import { startDatabricksServer, warehouseId } from '@svc/testkit/database/databricks/server.ts';
import { shopAnswer } from '@svc/testkit/database/databricks/shop.ts';
import { describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { useDatabricks } from './testing/service.ts';

const { server, authority, connector, connectionOf, optionsOf, execute, statementsSince } = useDatabricks();

describe('a Databricks statement', () => {
  it('returns its columns, and values with all their digits', async () => {
    const result = await execute('select * from customers', { wantOrigins: true });
    expect(result.columns).toEqual([
      { name: 'id', kind: 'integer', databaseType: 'BIGINT', origin: null },
      { name: 'email', kind: 'text', databaseType: 'STRING', origin: null },
      { name: 'balance', kind: 'decimal', databaseType: 'DECIMAL(38,10)', origin: null },
    ]);
    expect(await rowsOf(result)).toEqual([
      ['1234567890123456789', 'ann@example.com', '2126764793255865396646091296.4485513215'],
      [2, 'bob@example.com', 0.1],
    ]);
    expect(await rowsOf(await execute('select * from no_rows'))).toEqual([]);
  });

  it('is sent to a UTC session with a matching time limit, with the result requested inline', async () => {
    await rowsOf(await execute('select 1', { timeoutMs: 7_900, maxRows: 50 }));
    const { session, ...sent } = server().submissions.at(-1) ?? {};
    expect(session).toEqual({
      warehouse_id: warehouseId,
      catalog: 'shop',
      schema: 'sales',
      session_confs: { timezone: 'UTC', ansi_mode: 'true', statement_timeout: expect.toBeOneOf(['8', '9']) },
    });
    expect(sent).toEqual({
      statement: 'select 1',
      warehouse_id: warehouseId,
      user: 'reader',
      session_id: expect.any(String),
      wait_timeout: '0s',
      on_wait_timeout: 'CONTINUE',
      disposition: 'INLINE',
      format: 'JSON_ARRAY',
      row_limit: 51,
      byte_limit: 10_000_000,
    });
  });

  it('leaves no open session', async () => {
    await rowsOf(await execute('select 1'));
    await errorOf(execute('select no_such_column'));
    await errorOf(execute('select failing from t').then(rowsOf));
    await (await execute('select * from many_chunks')).close();
    await expect.poll(() => server().openSessions.size).toBe(0);
  });

  it('fetches all parts from the configured host, never from a URL in a response', async () => {
    const otherServer = await startDatabricksServer({
      authority: authority(),
      answer: shopAnswer,
      accessTokens: { t: 'reader' },
      pendingPolls: 3,
    });
    const connection = connectionOf({ signIn: 'AccessToken', accessToken: 't' });
    const { caCertificate } = otherServer;
    const sql = 'select * from many_chunks';
    const options = optionsOf({ dial: otherServer.dial });
    await rowsOf(await connector().execute({ ...connection, caCertificate }, { sql }, options));
    await expect.poll(() => otherServer.openSessions.size).toBe(0);
    const paths = otherServer.asked.map((request) => request.replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, ':id'));
    expect(new Set(paths)).toEqual(
      new Set([
        'POST /api/2.0/sql/sessions',
        'POST /api/2.0/sql/statements',
        'GET /api/2.0/sql/statements/:id',
        'GET /api/2.0/sql/statements/:id/result/chunks/1',
        'GET /api/2.0/sql/statements/:id/result/chunks/2',
        `DELETE /api/2.0/sql/sessions/:id?warehouse_id=${warehouseId}`,
      ]),
    );
    expect(paths.filter((path) => path === 'GET /api/2.0/sql/statements/:id')).toHaveLength(
      4 * otherServer.submissions.length,
    );
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
      { type: 'Number', value: '9007199254740993' },
      { type: 'Number', value: '12345678901234567890' },
    ];
    const markers = values.map((value, index) => connector().dialect.marker(index + 1, value));
    const sql = `select bound, ${markers.join(', ')} from t`;
    const result = await connector().execute(connectionOf(), { sql, values }, optionsOf());
    const [[statement, parameters] = []] = await rowsOf(result);
    expect(statement).toBe(
      'select bound, :svc_p1, :svc_p2, :svc_p3, :svc_p4, :svc_p5, :svc_p6, :svc_p7, :svc_p8, :svc_p9 from t',
    );
    expect(JSON.parse(String(parameters))).toEqual([
      { name: 'svc_p1', type: 'DECIMAL(4,2)', value: '-12.50' },
      { name: 'svc_p2', type: 'DOUBLE', value: '9'.repeat(40) },
      { name: 'svc_p3', type: 'TIMESTAMP', value: '2024-02-29T12:00:00.5Z' },
      { name: 'svc_p4', type: 'DATE', value: '2024-02-29' },
      { name: 'svc_p5', type: 'STRING', value: "'; drop table customers --" },
      { name: 'svc_p6', type: 'BOOLEAN', value: 'true' },
      { name: 'svc_p7', type: 'BIGINT' },
      { name: 'svc_p8', type: 'BIGINT', value: '9007199254740993' },
      { name: 'svc_p9', type: 'DECIMAL(20,0)', value: '12345678901234567890' },
    ]);
    const sent = server()
      .submissions.slice(-2)
      .map((submission) => submission.parameters);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('returns the rows of all chunks in batches of at most 2,000', async () => {
    const sizes: number[] = [];
    const seen: unknown[] = [];
    for await (const { rowCount, columns } of (await execute('select * from many_chunks')).batches) {
      sizes.push(rowCount);
      seen.push(...(columns[0] ?? []));
    }
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, at) => at));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  });

  it('is explained inside another query before its first run only, and sent without comments', async () => {
    const first = await statementsSince(async () => rowsOf(await execute('select 1 as a -- end')));
    expect(first.slice(-2)).toEqual([
      'explain cost\nselect * from (\nselect 1 as a       \n)',
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
      'explain cost\nselect * from (\nselect 2        \n)',
      'select 2;       ',
    ]);
  });

  it('does not run if its plan contains a write', async () => {
    const sent = await statementsSince(async () => {
      expect(await errorOf(execute('select planned_to_write from t'))).toMatchObject({ code: 'not-a-read' });
    });
    expect(sent).not.toContain('select planned_to_write from t');
  });

  it('fails with the message of the service, its class and its position', async () => {
    const error = await errorOf(execute("select '😀',\n  no_such_column from t"));
    expect(error).toMatchObject({
      code: 'statement-failed',
      engineCode: 'UNRESOLVED_COLUMN.WITHOUT_SUGGESTION',
      position: { line: 2, column: 3 },
      message: expect.stringContaining('with name `no_such_column`'),
    });
    const failed = await errorOf(execute('select\n  failing from t').then(rowsOf));
    expect(failed).toMatchObject({
      code: 'statement-failed',
      engineCode: 'CAST_INVALID_INPUT',
      position: { line: 2, column: 3 },
      message:
        '[CAST_INVALID_INPUT] The value \'x\' of the type "STRING" cannot be cast to "INT" because it is malformed. SQLSTATE: 22018',
    });
    expect(await errorOf(execute('select forbidden from t'))).toMatchObject({
      code: 'permission-denied',
      engineCode: 'INSUFFICIENT_PERMISSIONS',
    });
  });

  it('has a plan with the tables and sizes of its steps, without values', async () => {
    const { plan } = connector().dryRun ?? {};
    const sent = await statementsSince(async () => {
      const rows = await rowsOf(await execute(`${plan?.prefix}select id from orders`));
      const read = plan?.readPlan(rows);
      expect(read).toMatchObject({
        writes: false,
        estimatedCost: 4_096,
        estimatedRows: 150,
        nodes: [
          { depth: 0, label: 'Project', estimatedCost: 4_096 },
          { depth: 1, label: 'Join', estimatedCost: 4_096 },
          { depth: 2, label: 'Filter', estimatedCost: 3_072 },
          { depth: 3, label: 'Relation on shop.sales.orders', estimatedCost: 3_072, estimatedRows: 1_000 },
          { depth: 2, label: 'Relation on shop.sales.customers', estimatedCost: 1_024, estimatedRows: null },
        ],
      });
      expect(JSON.stringify(read)).not.toContain('a value of it');
    });
    expect(sent).not.toContain('select id from orders');
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
    expect(await limited('select * from many_chunks', { maxRows: 4_999 })).toBe('too-many-rows');
    expect(await limited('select * from many_chunks', { maxBytes: 20_000 })).toBe('too-many-bytes');
    expect(await limited('select * from many_chunks', { maxBytes: 20_000, maxRows: 4_999 })).toBe(
      'too-many-bytes',
    );
    expect(await limited('select * from too_large', {})).toBe('too-many-bytes');
    expect(await limited('select * from customers', { maxCellBytes: 20 })).toBe('value-too-large');
  });

  it('returns one row more than requested to show that more rows exist', async () => {
    expect(await rowsOf(await execute('select * from many_chunks', { rowsWanted: 150 }))).toHaveLength(151);
    expect(server().submissions.at(-1)).toMatchObject({ row_limit: 151 });
    expect(await rowsOf(await execute('select * from customers', { rowsWanted: 2 }))).toHaveLength(2);
    expect(await rowsOf(await execute('select * from many_chunks', { maxRows: 5_000 }))).toHaveLength(5_000);
  });
});

describe('a running Databricks statement', () => {
  const sql = 'select endless from t';
  const stateRequests = (since: number) =>
    server()
      .asked.slice(since)
      .filter((request) => /^GET \S+\/statements\/[^/]+$/.test(request));

  it('is cancelled at the service without a further request for its state, and its session is closed', async () => {
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
    await expect.poll(() => server().openSessions.size).toBe(0);
  });

  it('is cancelled at the service at its time limit', async () => {
    const before = server().cancelled.size;
    expect((await errorOf(execute(sql, { timeoutMs: 900 }))).code).toBe('timed-out');
    await expect.poll(() => server().cancelled.size).toBe(before + 1);
  });

  it('is cancelled even if the service has not yet returned its id', async () => {
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
    const result = await execute('select * from many_chunks');
    for await (const _batch of result.batches) break;
    await result.close();
    expect(server().cancelled.size).toBe(before);
  });
});
