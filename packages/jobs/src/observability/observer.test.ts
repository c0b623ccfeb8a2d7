import http, { type IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallBatch } from '../sql/endpoints/call-batch.ts';
import { type EndpointCall, storedSource } from '../sql/endpoints/endpoint-calls.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { createCallBuffer } from './call-buffer.ts';
import { captureHeaders, cutText, teeResponse } from './capture.ts';
import { bucketOf, createEndpointCounters, percentileMs } from './counters.ts';
import { addEndpointObservability } from './observer.ts';
import { type EndpointObservabilityOptions, HeaderNames } from './options.ts';
import { endpointIdOf } from './reads.ts';

// Tests of the behaviour that a host observes are in spec/scenarios/delivery.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

describe('observability options', () => {
  it.each<[string, Partial<EndpointObservabilityOptions>]>([
    ['sampleRate', { sampleRate: 1.5 }],
    ['maxCapturedBodySize', { maxCapturedBodySize: -1 }],
    ['maxCapturedHeaderSize', { maxCapturedHeaderSize: 0.5 }],
    ['callLogBufferCapacity', { callLogBufferCapacity: 0 }],
    ['callLogFlushBatchSize', { callLogFlushBatchSize: 0 }],
    ['endpointCallLogRetentionMs', { endpointCallLogRetentionMs: Number.NaN }],
    ['endpointCallLogRetentionCount', { endpointCallLogRetentionCount: -1 }],
    ['applicationName', { applicationName: ' ' }],
    ['captureHeaders', { captureHeaders: 'Sometimes' as 'Always' }],
    ['recordCalls', { recordCalls: 'None' as 'All' }],
    ['telemetry', { sink: 'Both' }],
  ])('with a bad %s are refused with its name', (name, bad) => {
    const configure = (options: EndpointObservabilityOptions) => void Object.assign(options, bad);
    expect(() => addEndpointObservability({ pool: fixture.pool }, configure)).toThrow(new RegExp(name));
  });
});

describe('call counters', () => {
  it('have percentiles as the upper bound of the bucket that contains the rank', () => {
    expect([0, 5, 6, 9_999, 60_000].map(bucketOf)).toEqual([0, 0, 1, 10, 10]);
    const buckets = [89, 0, 0, 0, 1, 5, 0, 4, 0, 1, 0];
    expect([0.5, 0.9, 0.95, 0.99].map((share) => percentileMs(buckets, share))).toEqual([5, 100, 250, 1_000]);
    expect(percentileMs([0, 0], 0.9)).toBe(0);
  });

  it('return each call once, by endpoint, group and hour', () => {
    const counters = createEndpointCounters();
    const add = counters.bind('GET /a');
    const atMs = Date.UTC(2030, 0, 1, 10, 59);
    add({ groupName: 'red', isFailed: false, durationMs: 4.5, atMs });
    add({ groupName: null, isFailed: true, durationMs: 300, atMs: atMs + 60_000 });
    const taken = counters.take();
    expect([...(taken?.keys() ?? [])]).toEqual(['GET /a']);
    expect(taken?.get('GET /a')).toEqual({
      success: 1,
      failed: 1,
      durationMs: 305,
      buckets: [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
      groups: new Map([['red', { success: 1, failed: 0, durationMs: 5 }]]),
      hours: new Map([
        [Date.UTC(2030, 0, 1, 10), { success: 1, failed: 0, durationMs: 5 }],
        [Date.UTC(2030, 0, 1, 11), { success: 0, failed: 1, durationMs: 300 }],
      ]),
    });
    expect(counters.take()).toBeNull();
  });

  it('remain exact over many calls and overlapping flushes', async () => {
    const observer = addEndpointObservability({ pool: fixture.pool }, (options) => {
      options.sampleRate = 0;
      options.captureHeaders = 'None';
      options.captureResponseBodies = 'None';
    });
    const begin = observer.bind({ method: 'GET', routeTemplate: '/many', operation: null });
    const calls = 50_000;
    const flushes: Promise<void>[] = [];
    for (let at = 0; at < calls; at += 1) {
      const request = { headers: {}, socket: {} } as IncomingMessage;
      const response = new ServerResponse(request);
      begin({ request, response, trace: { traceId: '', givenTraceId: null } });
      response.statusCode = at % 10 === 0 ? 404 : 200;
      response.end();
      response.emit('close');
      if (at % 5_000 === 0) flushes.push(observer.flush(), observer.flush());
    }
    await Promise.all(flushes);
    await observer.stop();
    expect(await fixture.jobs().endpoints.detail(endpointIdOf('GET /many'))).toMatchObject({
      totalCalls: calls,
      errorCount: 0,
      recentCalls: [],
    });
  });
});

describe('the call buffer', () => {
  const source = storedSource(
    { application: null, method: 'GET', routeTemplate: '/a', operation: null, machineName: 'm' },
    1_000,
  );
  const nothing = { groupName: null, remoteIp: null, userAgent: null, traceId: null, detail: null };
  const call = (statusCode: number): EndpointCall => ({
    ...nothing,
    source,
    atMs: 1_000,
    durationMs: 0.5,
    outcome: 'Success',
    statusCode,
  });
  const numbers = (batches: readonly CallBatch[]) =>
    batches.flatMap((rows) => [...rows.decoded()].map((row) => row['statusCode']));

  it('drops and counts the oldest calls, and returns taken calls to the start if they fit', () => {
    const buffer = createCallBuffer(4, 2);
    for (const one of [1, 2, 3, 4, 5]) buffer.add(call(one));
    expect([buffer.size(), buffer.dropped()]).toEqual([4, 1]);
    const taken = buffer.take(2);
    // Batches have two rows; one of the first two was dropped.
    expect(numbers(taken)).toEqual([2]);
    for (const one of [6, 7]) buffer.add(call(one));
    // Taken rows count until they are stored or returned.
    expect([buffer.size(), buffer.dropped()]).toEqual([3, 3]);
    buffer.putBack(taken);
    expect([buffer.size(), buffer.dropped()]).toEqual([4, 3]);
    const batches = [buffer.take(2), buffer.take(2), buffer.take(2), buffer.take(2)];
    expect(batches.map(numbers)).toEqual([[2], [5, 6], [7], []]);
    buffer.forget();
    for (const one of [8, 9]) buffer.add(call(one));
    expect([numbers(buffer.take(2)), buffer.dropped()]).toEqual([[8, 9], 3]);
  });

  it('retains the newest call, even while as many calls as its capacity are in transit', () => {
    const buffer = createCallBuffer(2, 2);
    for (const one of [1, 2]) buffer.add(call(one));
    const taken = buffer.take(2);
    for (const one of [3, 4]) buffer.add(call(one));
    expect([buffer.size(), buffer.dropped()]).toEqual([1, 1]);
    buffer.putBack(taken);
    expect([numbers(buffer.take(2)), numbers(buffer.take(2)), buffer.dropped()]).toEqual([[2, 4], [], 2]);
  });
});

describe('captured texts', () => {
  it('are truncated at whole characters and contain no characters that PostgreSQL refuses', () => {
    expect(cutText('añb', 2)).toBe('a');
    expect(cutText('a\0b\ud800c', 10)).toBe('ab\ufffdc');
    const headers = JSON.parse('{"__proto__":"x","a":["1","2"],"b":7}');
    const captured = captureHeaders(headers, new HeaderNames(['B']), 100);
    expect(JSON.stringify(captured)).toBe('{"__proto__":"x","a":"1, 2","b":"***"}');
  });

  it.each([
    ['an object', (response: ServerResponse) => response.writeHead(200, { 'X-One': '1' })],
    ['pairs', (response: ServerResponse) => response.writeHead(200, 'Fine', ['X-One', '1'])],
    ['setHeader', (response: ServerResponse) => response.setHeader('X-One', '1')],
  ])('are taken from a response with headers set by %s', (_form, write) => {
    const response = new ServerResponse(new http.IncomingMessage(null as never));
    const captured = teeResponse(response, 5);
    write(response);
    const chunk = Buffer.from('123');
    response.write(chunk);
    chunk.fill('x');
    response.end('343536', 'hex');
    expect(captured.headers()).toMatchObject({ 'x-one': '1' });
    expect(captured.body(5)).toBe('12345');
  });
});
