import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpFixture, sleeping, startMcpFixture } from './testing/fixture.ts';

let fixture: McpFixture;
let salesKey: string;

beforeAll(async () => {
  fixture = await startMcpFixture();
  await fixture.offerAllQueries();
  salesKey = (await fixture.key([fixture.sales])).authorization;
});
afterAll(() => fixture.close());

describe('limits', () => {
  test('rows stop at max_rows and at the limit of the project, and the answer reports it', async () => {
    const few = await fixture.call(salesKey, 'query', {
      sql: 'select n from generate_series(1, 500) n',
      max_rows: 3,
    });
    expect(few.structuredContent).toMatchObject({ rowCount: 3, isTruncated: true, truncatedBy: 'Rows' });
    const exact = await fixture.call(salesKey, 'query', {
      sql: 'select n from generate_series(1, 3) n',
      max_rows: 3,
    });
    expect(exact.structuredContent).toMatchObject({ rowCount: 3, isTruncated: false, truncatedBy: null });
    const many = await fixture.call(salesKey, 'query', {
      sql: 'select n from generate_series(1, 5000) n',
      max_rows: 5_000,
    });
    expect(many.structuredContent).toMatchObject({ rowCount: 1_000, truncatedBy: 'Rows' });
  });

  test('bytes stop at the limit, and a single row above the limit is omitted', async () => {
    const long = await fixture.call(salesKey, 'query', {
      sql: "select repeat('x', 100000) as x from generate_series(1, 5)",
    });
    expect(long.structuredContent).toMatchObject({ rowCount: 2, truncatedBy: 'Bytes' });
    const huge = await fixture.call(salesKey, 'query', { sql: "select repeat('x', 1000000) as x" });
    expect(huge.structuredContent).toMatchObject({ rowCount: 0, truncatedBy: 'Bytes' });
  });

  const { running, until, sleepy } = sleeping(() => fixture);

  test('a client that disconnects stops its statement', async () => {
    const leaving = new AbortController();
    const call = fetch(`${fixture.svc.origin}/svc/mcp`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: salesKey,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 9,
        method: 'tools/call',
        params: { name: 'query', arguments: sleepy },
      }),
    });
    await until(1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(0);
  });

  test('a cancellation in the older protocol revision stops only the statement that it names', async () => {
    const call = fixture.post(salesKey, {
      jsonrpc: '2.0',
      id: 'mine',
      method: 'tools/call',
      params: { name: 'query', arguments: sleepy },
    });
    await until(1);
    const cancel = (requestId: unknown) =>
      fixture.post(salesKey, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    expect((await cancel('another')).status).toBe(202);
    expect(await running()).toBe(1);
    expect((await cancel('mine')).status).toBe(202);
    expect((await call).body.result.isError).toBe(true);
    await until(0);
    expect((await fixture.audited()).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });
});
