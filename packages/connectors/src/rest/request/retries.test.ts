import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ExecuteOptions } from '../../port.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';
import { createRestConnector } from '../index.ts';
import { retryAfterMs } from './retry-after.ts';

const connector = createRestConnector();
let api: TestRestApi;
beforeAll(async () => {
  api = await startRestApi(() => ({ body: [] }));
});
afterAll(() => api.stop());
afterEach(() => void vi.useRealTimers());

const connection = () => connector.settings.parse({ baseUrl: api.baseUrl, endpoints: ['/orders'] });
let waits: number[] = [];
const execute = (step: object = {}, change: Partial<ExecuteOptions> = {}) => {
  waits = [];
  return connector.execute(
    connection(),
    { sql: JSON.stringify({ path: '/orders', ...step }) },
    {
      dial: api.dial,
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      maxRows: 10_000,
      maxBytes: 1_000_000,
      maxCellBytes: 10_000,
      noteRetry: (waitedMs) => waits.push(waitedMs),
      ...change,
    },
  );
};
const read = async (step?: object, change?: Partial<ExecuteOptions>) => rowsOf(await execute(step, change));
/** Returns the answers one after the other, then repeats the last one. */
const answers = (...all: ReturnType<Parameters<TestRestApi['answer']>[0]>[]) => {
  let at = 0;
  api.answer(() => all[Math.min(at++, all.length - 1)] ?? 'silent');
};
const good = { body: [{ id: 1 }] };
const busy = (status: number, after?: string) => ({
  status,
  body: { message: 'slow down' },
  headers: after === undefined ? {} : { 'retry-after': after },
});

describe('a request that the API refuses temporarily', () => {
  it.each([429, 503])('with %i is sent again after the requested time', async (status) => {
    answers(busy(status, '1'), good);
    const startedAt = performance.now();
    expect(await read()).toEqual([[1]]);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    expect(waits).toEqual([1_000]);
    expect(api.asked).toEqual(['GET /v1/orders', 'GET /v1/orders']);
  });

  it('is sent again on the same connection, for every page', async () => {
    let requests = 0;
    api.answer((url) => {
      requests++;
      const page = Number(url.searchParams.get('page'));
      if (requests % 2 === 1) return busy(429, '0');
      return { body: page > 2 ? [] : [{ page }] };
    });
    let dialled = 0;
    const dial: ExecuteOptions['dial'] = (...call) => {
      dialled++;
      return api.dial(...call);
    };
    expect(await read({ pages: { parameter: 'page' } }, { dial })).toEqual([[1], [2]]);
    expect([waits, dialled]).toEqual([[0, 0, 0], 1]);
  });

  it('is sent again at most five times per step, all pages together', async () => {
    answers(busy(503, '0'));
    expect(await errorOf(read())).toMatchObject({
      code: 'statement-failed',
      engineCode: 'HTTP 503',
      message: 'The API answers with status 503: slow down. The step sent 5 requests again and waited 0 s.',
      hint: 'The API is busy: wait 0 seconds.',
    });
    expect(api.asked).toHaveLength(6);
    let requests = 0;
    api.answer(() => (requests++ % 2 === 0 ? busy(429, '0') : { body: [{ asked: requests }] }));
    await errorOf(read({ pages: { parameter: 'page' } }));
    expect([requests, waits.length]).toEqual([11, 5]);
  });

  it.each([
    ['status 429 without Retry-After', busy(429)],
    ['status 503 without Retry-After', busy(503)],
    ['an invalid Retry-After', busy(429, 'soon')],
    ['a negative Retry-After', busy(503, '-1')],
    ['a Retry-After above a minute', busy(429, '61')],
    ['a Retry-After of a day', busy(503, '86400')],
    ['a Retry-After with a date in the far future', busy(503, 'Fri, 31 Dec 2100 23:59:59 GMT')],
    ['Retry-After with another status', busy(500, '1')],
    ['Retry-After with a sign-in status', busy(401, '1')],
  ])('%s fails the run without a wait and without another request', async (_name, answer) => {
    answers(answer, good);
    expect((await errorOf(read())).engineCode).toBe(`HTTP ${answer.status}`);
    expect([api.asked.length, waits]).toEqual([1, []]);
  });

  it('fails the run before its time limit if the wait would exceed it, with the wait time in the hint', async () => {
    answers(busy(429, '60'), good);
    // At the time limit the code would be timed-out.
    expect(await errorOf(read({}, { timeoutMs: 59_999 }))).toMatchObject({
      code: 'statement-failed',
      hint: 'The API limits how often it is asked: wait 60 seconds.',
    });
    expect([api.asked.length, waits]).toEqual([1, []]);
  });

  it('is not sent again after the run is cancelled, and the run does not wait to the end', async () => {
    answers(busy(429, '8'), good);
    const controller = new AbortController();
    const running = errorOf(read({}, { signal: controller.signal }));
    await expect.poll(() => api.asked.length).toBe(1);
    controller.abort();
    expect((await running).code).toBe('cancelled');
    await expect.poll(api.openSockets).toBe(0);
    // A wait is noted when it ends.
    expect([api.asked.length, waits]).toEqual([1, []]);
  });
});

describe('a lost REST connection', () => {
  it('is opened again if it is lost before a response, at most three times', async () => {
    answers('reset', 'reset', good);
    expect(await read()).toEqual([[1]]);
    expect(waits).toEqual([100, 500]);
    answers('reset');
    expect(await errorOf(read())).toMatchObject({ code: 'connection-lost' });
    expect([api.asked.length, waits]).toEqual([4, [100, 500, 2_000]]);
  });

  it('fails the run if it is lost within a response, and rows are not requested twice', async () => {
    api.answer((_url, request) => {
      setTimeout(() => request.socket.destroy(), 50);
      return { headers: { 'content-length': '9999' }, body: '[{"id": 1},' };
    });
    expect((await errorOf(read())).code).toBe('connection-lost');
    expect([api.asked.length, waits]).toEqual([1, []]);
  });

  it('is not tried again if it is refused', async () => {
    let dialled = 0;
    const dial: ExecuteOptions['dial'] = () => {
      dialled++;
      return Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    };
    expect((await errorOf(read({}, { dial }))).code).toBe('connection-failed');
    expect([dialled, waits]).toEqual([1, []]);
  });
});

describe('the connection test of a REST source', () => {
  it('sends one request', async () => {
    answers(busy(503, '1'), good);
    const test = await connector.testConnection(connection(), {
      dial: api.dial,
      signal: new AbortController().signal,
      timeoutMs: 5_000,
    });
    expect(test).toMatchObject({ isOk: false, error: { hint: 'The API is busy: wait 1 second.' } });
    expect(api.asked).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const of = (after: string | undefined, status = 429) => retryAfterMs({ status, header: () => after });
  it('is a number of seconds, or a date with a time', () => {
    expect([of('0'), of('120'), of(' 7 ')]).toEqual([0, 120_000, 7_000]);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
    expect(of('Thu, 01 Jan 2026 00:00:30 GMT')).toBe(30_000);
    expect(of('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
    expect([of('1.5'), of('1e3'), of('2030'), of('2030-01-01'), of('tomorrow'), of(undefined)]).toEqual([
      undefined,
      undefined,
      2_030_000,
      undefined,
      undefined,
      undefined,
    ]);
    expect(of('1', 500)).toBeUndefined();
  });
});
