import { type IncomingMessage, ServerResponse } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, eventually, type Fixture, recordingLogger } from '../testing/fixture.ts';
import { teeResponse } from './capture.ts';
import { addEndpointObservability, type Observer, type ObserverDeps } from './observer.ts';
import type { EndpointObservabilityOptions } from './options.ts';
import { endpointIdOf } from './reads.ts';

// Tests of the transfer of rows to the table. Tests of their content are in spec/scenarios/delivery.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const headers = { 'user-agent': 'tester/1', 'x-long': 'ä'.repeat(900), authorization: 'planted' };
const none = { traceId: '', givenTraceId: null };

type Call = { status?: number; body?: string; error?: unknown; traceId?: string; headers?: object };

/** Creates an observer with one endpoint and returns functions to call it and to read its rows. */
function observed(
  route: string,
  deps: Partial<ObserverDeps> = {},
  configure: (options: EndpointObservabilityOptions) => void = () => undefined,
) {
  const observer = addEndpointObservability({ pool: fixture.pool, ...deps }, configure);
  const begin = observer.bind({ method: 'GET', routeTemplate: route, operation: null });
  return {
    observer,
    call: (call: Call = {}) => {
      const request = { headers: call.headers ?? headers, socket: {} } as IncomingMessage;
      const response = new ServerResponse(request);
      const trace = call.traceId === undefined ? none : { traceId: '', givenTraceId: call.traceId };
      const observation = begin({ request, response, trace });
      observation.setRequestBody(call.body ?? '{}');
      if (call.error !== undefined) observation.setException(call.error);
      response.writeHead(call.status ?? 200).end(call.body ?? '{}');
      response.emit('close');
    },
    rows: () => fixture.jobs().endpoints.calls(endpointIdOf(`GET ${route}`), { limit: 200 }),
  };
}

/** Creates a pool whose queries the test may disturb. */
function disturbedPool(disturb: (run: () => Promise<unknown>, query: unknown) => Promise<unknown>): pg.Pool {
  const pool = new pg.Pool({ ...fixture.database.connection, max: 2 });
  pool.on('error', () => undefined);
  const query = pool.query.bind(pool) as (config: unknown) => Promise<unknown>;
  return Object.assign(pool, { query: (config: unknown) => disturb(() => query(config), config) });
}

const isCopy = (query: unknown) => typeof query === 'object' && query !== null && 'submit' in query;

/** Creates an observer whose own first flush has ended, so the next flush is the test's. */
async function idle(route: string, pool: pg.Pool) {
  const made = observed(route, { pool });
  await made.observer.flush();
  return made;
}

async function stopped(observer: Observer, pool?: pg.Pool): Promise<void> {
  await observer.stop();
  await pool?.end();
}

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
      requestHeaders: { 'user-agent': 'tester/1', 'x-long': headers['x-long'], authorization: '***' },
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
    expect((await fixture.jobs().endpoints.origin(all[3]?.id ?? ''))?.id).toBe(all[3]?.id);
    await stopped(observer);
  });
});

describe('indexes of the call rows', () => {
  const log = 'svc_jobs.endpoint_call_log';
  const source = 'svc_jobs.endpoint_source';
  /** Returns the indexes that PostgreSQL uses when it may not read the whole table. */
  const indexesOf = async (text: string) => {
    const client = await fixture.pool.connect();
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
    const { origin } = fixture.jobs().endpoints;
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

describe('a batch of call rows', () => {
  it('is not stored twice if its response is lost', async () => {
    let lost = 0;
    const pool = disturbedPool(async (run, query) => {
      const result = await run();
      if (!isCopy(query) || lost > 0) return result;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    });
    const { observer, call, rows } = await idle('/lost', pool);
    for (let at = 0; at < 5; at += 1) call();
    await expect(observer.flush()).rejects.toThrow(/terminated/);
    await observer.flush();
    expect(await rows()).toHaveLength(5);
    expect([lost, observer.droppedCount()]).toEqual([1, 0]);
    await stopped(observer, pool);
  });

  it('that could not be sent is sent in order with the next flush', async () => {
    let refused = 0;
    const pool = disturbedPool((run, query) => {
      if (!isCopy(query) || refused > 0) return run();
      refused += 1;
      return Promise.reject(new Error('connect ECONNREFUSED'));
    });
    const { observer, call, rows } = await idle('/refused', pool);
    call({ status: 201 });
    await expect(observer.flush()).rejects.toThrow(/ECONNREFUSED/);
    call({ status: 202 });
    await observer.flush();
    expect((await rows()).map((row) => row.statusCode)).toEqual([202, 201]);
    await stopped(observer, pool);
  });

  it('loses only the row that the table refuses, and reports it without captured content', async () => {
    const logger = recordingLogger();
    await fixture.pool.query(
      'alter table svc_jobs.endpoint_call_log add constraint no_teapots check (status_code <> 418) not valid',
    );
    const { observer, call, rows } = observed('/refusing', { logger });
    for (const status of [200, 418, 204]) call({ status, body: 'planted' });
    await observer.flush();
    await fixture.pool.query('alter table svc_jobs.endpoint_call_log drop constraint no_teapots');
    expect((await rows()).map((row) => row.statusCode)).toEqual([204, 200]);
    const failureLines = logger.lines.filter((line) => line.includes('could not be stored'));
    expect(failureLines).toHaveLength(1);
    expect(failureLines[0]).toMatch(/"callId":"[0-9a-f-]{36}","sqlState":"23514"/);
    expect(failureLines[0]).not.toContain('planted');
    await stopped(observer);
  });

  it('retains the remaining rows if the database becomes unavailable while rows are stored singly', async () => {
    let isAway = false;
    const pool = disturbedPool((run, query) => {
      if (isCopy(query)) {
        // The error of a table that refuses a row.
        if (!isAway) return Promise.reject(Object.assign(new Error('refused'), { code: '23514' }));
        return run();
      }
      const text = (query as { text: string }).text;
      if (!isAway && /insert into \S+\.endpoint_call_log/.test(text)) {
        isAway = true;
        return Promise.reject(new Error('connect ECONNREFUSED'));
      }
      return run();
    });
    const { observer, call, rows } = await idle('/left', pool);
    for (let at = 0; at < 3; at += 1) call();
    await expect(observer.flush()).rejects.toThrow(/ECONNREFUSED/);
    await observer.flush();
    expect(await rows()).toHaveLength(3);
    await stopped(observer, pool);
  });

  it('is stored row by row if the connections do not support COPY', async () => {
    const pool = disturbedPool((run, query) =>
      isCopy(query) ? Promise.reject(new Error('not supported in pipeline mode')) : run(),
    );
    Object.assign(pool.options, { pipeline: true });
    const { observer, call, rows } = observed('/pipelined', { pool });
    for (let at = 0; at < 3; at += 1) call();
    await observer.flush();
    const all = await rows();
    expect(all).toHaveLength(3);
    for (const row of all) expect(row.traceId).toBe(row.id);
    await stopped(observer, pool);
  });

  it('is committed asynchronously, unlike other work on its connection', async () => {
    const pool = disturbedPool((run) => run());
    Object.assign(pool.options, { max: 1, options: '-c synchronous_commit=on' });
    await pool.query(`create table svc_jobs.seen (setting text);
      create function svc_jobs.look() returns trigger language plpgsql as
        $$ begin insert into svc_jobs.seen values (current_setting('synchronous_commit')); return null; end $$;
      create trigger look after insert on svc_jobs.endpoint_call_log for each statement execute function svc_jobs.look()`);
    const { observer, call } = await idle('/disk', pool);
    call();
    await observer.flush();
    await pool.query("insert into svc_jobs.seen select current_setting('synchronous_commit')");
    const { rows: seen } = await pool.query('select setting from svc_jobs.seen');
    await pool.query('drop table svc_jobs.seen; drop function svc_jobs.look() cascade');
    expect(seen).toEqual([{ setting: 'off' }, { setting: 'on' }]);
    await stopped(observer, pool);
  });

  it('is stored soon after it is full, and counters at most once a second', async () => {
    const flushes: string[] = [];
    const pool = disturbedPool((run, query) => {
      flushes.push(isCopy(query) ? 'rows' : 'other');
      return run();
    });
    const { observer, call, rows } = observed('/often', { pool }, (options) => {
      options.callLogFlushBatchSize = 2;
    });
    // The first flush of counts.
    call();
    await eventually(async () => (await rows()).length === 1);
    flushes.length = 0;
    for (let batch = 0; batch < 4; batch += 1) {
      call();
      call();
      await eventually(async () => (await rows()).length === 3 + batch * 2);
    }
    const counted = async () =>
      (await fixture.jobs().endpoints.detail(endpointIdOf('GET /often')))?.totalCalls;
    expect(flushes.filter((what) => what === 'rows')).toHaveLength(4);
    await eventually(async () => (await counted()) === 9);
    await stopped(observer, pool);
  });
});

describe('several batches of call rows', () => {
  const batchesOfTwo = (options: EndpointObservabilityOptions) => {
    options.callLogFlushBatchSize = 2;
    options.callLogBufferCapacity = 24;
  };

  it('share one transaction with a COPY per batch, and use further transactions if too many wait', async () => {
    let copies = 0;
    const pool = disturbedPool((run, query) => {
      if (isCopy(query)) copies += 1;
      return run();
    });
    await pool.query(`create table svc_jobs.copied (rows bigint, at xid8);
      create function svc_jobs.look() returns trigger language plpgsql as
        $$ begin insert into svc_jobs.copied select count(*), pg_current_xact_id() from added; return null; end $$;
      create trigger look after insert on svc_jobs.endpoint_call_log referencing new table as added
        for each statement execute function svc_jobs.look()`);
    const { observer, call, rows } = observed('/several', { pool }, batchesOfTwo);
    await observer.flush();
    for (let at = 0; at < 9; at += 1) call({ status: 200 + at });
    await observer.flush();
    const { rows: copied } = await pool.query(
      'select array_agg(rows::integer) as rows from svc_jobs.copied group by at order by at',
    );
    await pool.query('drop table svc_jobs.copied; drop function svc_jobs.look() cascade');
    // One transaction stores at most a quarter of the buffer.
    expect(copied.map((one) => one.rows)).toEqual([
      [2, 2, 2],
      [2, 1],
    ]);
    expect((await rows()).map((row) => row.statusCode)).toEqual([
      208, 207, 206, 205, 204, 203, 202, 201, 200,
    ]);
    expect([copies, observer.droppedCount()]).toEqual([2, 0]);
    await stopped(observer, pool);
  });

  it('can contain rows with and without details, in any order', async () => {
    const logger = recordingLogger();
    await fixture.pool.query(
      'alter table svc_jobs.endpoint_call_log add constraint no_teapots check (status_code <> 418) not valid',
    );
    const { observer, call, rows } = observed('/mixed', { logger });
    const statuses = Array.from({ length: 150 }, (_, at) =>
      at === 75 ? 418 : at % 3 === 0 || at > 120 ? 500 + (at % 100) : 200 + (at % 100),
    );
    for (const [at, status] of statuses.entries()) {
      const traceId = at % 5 === 0 ? `00000000-0000-7000-8000-000000000${100 + at}` : undefined;
      call({ status, body: `body ${at}`, ...(traceId && { traceId }) });
    }
    await observer.flush();
    await fixture.pool.query('alter table svc_jobs.endpoint_call_log drop constraint no_teapots');
    const expected = statuses.flatMap((status, at) => (status === 418 ? [] : [{ at, status }]));
    expect((await rows()).toReversed()).toMatchObject(
      expected.map(({ at, status }) => ({
        statusCode: status,
        userAgent: 'tester/1',
        requestBody: status >= 500 ? `body ${at}` : null,
        ...(at % 5 === 0 && { traceId: `00000000-0000-7000-8000-000000000${100 + at}` }),
      })),
    );
    expect(logger.lines.filter((line) => line.includes('could not be stored'))).toHaveLength(1);
    await stopped(observer);
  });

  it('lose only the row that the table refuses, in any batch', async () => {
    const logger = recordingLogger();
    await fixture.pool.query(
      'alter table svc_jobs.endpoint_call_log add constraint no_teapots check (status_code <> 418) not valid',
    );
    const { observer, call, rows } = observed('/several-refusing', { logger }, batchesOfTwo);
    for (const status of [200, 201, 202, 418, 204, 205]) call({ status });
    await observer.flush();
    await fixture.pool.query('alter table svc_jobs.endpoint_call_log drop constraint no_teapots');
    expect((await rows()).map((row) => row.statusCode)).toEqual([205, 204, 202, 201, 200]);
    expect(logger.lines.filter((line) => line.includes('could not be stored'))).toHaveLength(1);
    expect(observer.droppedCount()).toBe(0);
    await stopped(observer);
  });

  it('contain nothing of earlier batches when their memory is reused', async () => {
    const { observer, call, rows } = observed('/again', {}, (options) => {
      batchesOfTwo(options);
      options.captureRequestBodies = 'Always';
      options.captureHeaders = 'Always';
      options.maxCapturedBodySize = 400_000;
      options.maxCapturedHeaderSize = 400_000;
    });
    // Bodies larger than a retained block, with many three-byte characters, and with many headers.
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x-${at}`, `${at}\u8d64`]));
    const bodies = ['a', '\u8d64'.repeat(120_000), 'b'.repeat(3_000), '', 'c'];
    for (const [at, body] of bodies.entries()) {
      call({ body, status: 200 + at, headers: at === 2 ? many : { 'user-agent': `agent/${at} \u00e9` } });
      if (at % 2 === 0) await observer.flush();
    }
    await observer.flush();
    const stored = (await rows()).toReversed();
    expect(stored.map((row) => row.requestBody)).toEqual(bodies);
    expect(stored.map((row) => row.userAgent)).toEqual([
      'agent/0 é',
      'agent/1 é',
      null,
      'agent/3 é',
      'agent/4 é',
    ]);
    expect(stored[2]?.requestHeaders).toEqual(many);
    expect(stored.map((row) => row.statusCode)).toEqual([200, 201, 202, 203, 204]);
    await stopped(observer);
  });

  it('are stored once after a connection loss, and new calls replace the oldest ones in the buffer', async () => {
    let isAway = true;
    const pool = disturbedPool((run, query) =>
      isCopy(query) && isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : run(),
    );
    const { observer, call, rows } = observed('/several-lost', { pool }, batchesOfTwo);
    await observer.flush();
    const count = 100;
    for (let at = 0; at < count; at += 1) {
      call({ status: 200 + at });
      if (at % 7 === 0) await observer.flush().catch(() => undefined);
    }
    isAway = false;
    await observer.flush();
    const stored = (await rows()).map((row) => row.statusCode);
    expect(stored.length + observer.droppedCount()).toBe(count);
    expect(stored).toEqual(Array.from({ length: 24 }, (_, at) => 200 + count - 1 - at));
    await stopped(observer, pool);
  });
});

describe('a response with two observers', () => {
  it('is captured by both observers, each up to its own limit', () => {
    const response = new ServerResponse({ headers: {} } as IncomingMessage);
    const short = teeResponse(response, 3);
    const long = teeResponse(response, 100);
    response.writeHead(200, { 'x-one': '1' }).end('123456');
    expect([short.body(3), long.body(100)]).toEqual(['123', '123456']);
    expect(short.headers()).toMatchObject({ 'x-one': '1' });
  });
});

describe('counter increments', () => {
  it('are stored once per flush, and calls during a flush are counted in the next one', async () => {
    let stored = 0;
    let whileStored: () => void = () => undefined;
    const pool = disturbedPool(async (run, query) => {
      const { text = '' } = query as { text?: string };
      if (!text.includes('endpoint_flush (id)')) return run();
      stored += 1;
      if (stored <= 50) whileStored();
      return run();
    });
    const { observer, call } = await idle('/counted', pool);
    whileStored = call;
    call();
    await observer.flush();
    // One flush of the test and, on a slow machine, several that the observer begins every second.
    expect(stored).toBeLessThan(10);
    whileStored = () => undefined;
    await observer.flush();
    const endpoint = await fixture.jobs().endpoints.detail(endpointIdOf('GET /counted'));
    expect(endpoint?.totalCalls).toBe(stored);
    await stopped(observer, pool);
  });
});
