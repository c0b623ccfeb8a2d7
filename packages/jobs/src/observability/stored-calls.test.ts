import { describe, expect, it } from 'vitest';
import { callHeaders, observedCalls, stopped } from '../testing/observed-calls.ts';

// Tests of the transfer of rows to the table. Tests of their content are in spec/scenarios/delivery.

const { fixture, observed } = observedCalls();

describe('a stored row of an observed call', () => {
  it('contains every captured text unchanged, for any length and alphabet, and null for absent values', async () => {
    const { observer, call, rows } = observed('/texts', {}, (options) => {
      options.captureHeaders = 'Always';
      options.captureRequestBodies = 'Always';
      options.captureResponseBodies = 'Always';
      options.maxCapturedBodySize = 100_000;
      options.applicationName = 'Große App';
      options.groupSelector = () => '赤';
      options.userName = () => 'Zoë';
      options.enrich = (_request, tags) => void tags.set('"quoted"', '\u{1F9E9}\n');
    });
    const body = `${'ß\u{1F600}"\\'.repeat(9_000)}end`;
    const sentAtMs = Date.now();
    call({
      body,
      status: 503,
      error: new RangeError('zu groß'),
      traceId: '5bf92f35-77b3-4da6-a3ce-929d0e0e4736',
    });
    call({ headers: {} });
    const calledAtMs = Date.now();
    await observer.flush();
    const [plain, rich] = await rows();
    expect(rich).toMatchObject({
      application: 'Große App',
      groupName: '赤',
      userName: 'Zoë',
      userAgent: 'tester/1',
      tags: { '"quoted"': '\u{1F9E9}\n' },
      statusCode: 503,
      outcome: 'Failed',
      exceptionType: 'RangeError',
      exceptionMessage: 'zu groß',
      requestHeaders: { 'user-agent': 'tester/1', 'x-long': callHeaders['x-long'], authorization: '***' },
      requestBody: body,
      responseBody: body,
      traceId: '5bf92f35-77b3-4da6-a3ce-929d0e0e4736',
    });
    expect(rich?.at.getTime()).toBeGreaterThan(sentAtMs - 1_000);
    expect(rich?.at.getTime()).toBeLessThan(calledAtMs + 1_000);
    expect((rich?.expireAt.getTime() ?? 0) - (rich?.at.getTime() ?? 0)).toBe(7 * 86_400_000);
    expect(plain).toMatchObject({
      operation: null,
      userAgent: null,
      remoteIp: null,
      exceptionType: null,
      requestHeaders: {},
      requestBody: '{}',
    });
    await stopped(observer);
  });

  it('has an id with the start time of the call, which is also its trace id if the caller sent none', async () => {
    const { observer, call, rows } = observed('/ids');
    const count = 40;
    for (let at = 0; at < count; at += 1) call({ status: 200 + at });
    await observer.flush();
    const all = await rows();
    // Newest first, even within a millisecond.
    expect(all.map((row) => row.statusCode)).toEqual(
      Array.from({ length: count }, (_, at) => 200 + count - 1 - at),
    );
    for (const row of all) {
      expect(row.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(row.id.replaceAll('-', '').slice(0, 12), 16)).toBe(row.at.getTime());
      expect(row.traceId).toBe(row.id);
    }
    expect(
      (
        await fixture()
          .jobs()
          .endpoints.origin(all[3]?.id ?? '')
      )?.id,
    ).toBe(all[3]?.id);
    await stopped(observer);
  });
});

describe('indexes of the call rows', () => {
  const log = 'svc_jobs.endpoint_call_log';
  const source = 'svc_jobs.endpoint_source';
  /** Returns the indexes that PostgreSQL uses when it may not read the whole table. */
  const indexesOf = async (text: string) => {
    const client = await fixture().pool.connect();
    await client.query(
      'begin; set local enable_seqscan = off; set local enable_sort = off; set local enable_hashagg = off',
    );
    const { rows } = await client.query(`explain ${text}`);
    await client.query('rollback');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [...new Set(plan.match(/endpoint_call_log_\w+/g))].sort();
  };

  it('locate a call by its own trace id, and by the trace id of its caller', async () => {
    const traceId = '00000000-0000-4000-8000-00000000000a';
    const { observer, call, rows } = observed('/traces');
    call();
    call({ traceId });
    await observer.flush();
    const [given, own] = await rows();
    const { origin } = fixture().jobs().endpoints;
    expect((await origin(traceId))?.id).toBe(given?.id);
    expect((await origin(own?.id ?? ''))?.id).toBe(own?.id);
    // The value is the id of a call, but not its trace id.
    expect(await origin(given?.id ?? '')).toBeNull();
    expect(await indexesOf(`select * from ${log} l where l.trace_id = '${traceId}'`)).toEqual([
      'endpoint_call_log_trace',
    ]);
    expect(
      await indexesOf(
        `select * from ${source} s join ${log} l on l.source_id = s.id and l.id = '${traceId}'`,
      ),
    ).toContain('endpoint_call_log_pkey');
    await stopped(observer);
  });

  it('provide the calls of a source in their order, and its failures by caller', async () => {
    expect(
      await indexesOf(`select * from ${log} l where l.source_id = 5 order by l.id desc limit 5`),
    ).toEqual(['endpoint_call_log_pkey']);
    expect(
      await indexesOf(
        `select max(l.status_code) from ${log} l where l.source_id = 5 and l.is_failed and l.group_name is not null group by l.group_name`,
      ),
    ).toEqual(['endpoint_call_log_failure']);
  });
});
