import { readFileSync } from 'node:fs';
import { answer, defineJob, enqueueingEndpoint, type Jobs } from '@svc/jobs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { eventually, recordingLogger } from '../../../packages/jobs/src/testing/fixture.ts';
import { type ObservedHosts, openObservedHosts } from '../support/hosts/observed-host.ts';
import { scenario } from '../support/scenario.ts';

let hosts: ObservedHosts;
let jobs: Jobs;
beforeAll(async () => {
  hosts = await openObservedHosts();
  jobs = hosts.jobs;
});
afterAll(() => hosts.close());

const guide = () => readFileSync(new URL('../../../docs/guides/jobs.md', import.meta.url), 'utf8');

class NotSignedInError extends Error {}
const throwNotSignedIn = () => {
  throw new NotSignedInError('who are you');
};
const mapNotSignedIn = (error: unknown) => (error instanceof NotSignedInError ? 401 : 500);

describe('row of an endpoint call', () => {
  scenario(
    ['DL-9.2-01', 'DL-9.2-02', 'DL-9.2-03', 'DL-9.2-04', 'DL-9.2-05', 'DL-9.2-06'],
    'states the called endpoint, the caller, the duration and the outcome',
    async () => {
      const workMs = 25;
      const host = await hosts.start({
        route: '/orders/{id:int}/lines/{line:guid}/{*rest}',
        configure: (options) => {
          options.userName = (request) => String(request.headers['x-user']);
        },
        handler: async () => {
          const { promise, resolve } = Promise.withResolvers<void>();
          setTimeout(resolve, workMs);
          await promise;
          return answer(201, { made: true });
        },
      });
      const path = '/orders/7/lines/0198a3c2-0000-7000-8000-000000000001/a/b';
      const sentAtMs = Date.now();
      const response = await fetch(`${host.origin}${path}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', 'user-agent': 'tester/1', 'x-user': 'ada' },
      });
      expect(response.status).toBe(201);
      // The call is recorded when its response closes, possibly after the client has received it.
      const endpoint = await eventually(async () => {
        await host.observer.flush();
        return (await jobs.endpoints.list()).find((one) => one.route.includes('/lines/'));
      }, 'the recorded endpoint');
      expect(endpoint.route).toBe('POST /orders/{id}/lines/{line}/{*rest}');
      const [row] = await jobs.endpoints.calls(endpoint.id);
      expect(row).toMatchObject({
        method: 'POST',
        routeTemplate: '/orders/{id}/lines/{line}/{*rest}',
        operation: 'makeThing',
        remoteIp: '127.0.0.1',
        userAgent: 'tester/1',
        userName: 'ada',
        statusCode: 201,
        outcome: 'Success',
        exceptionType: null,
      });
      // A timer may fire a millisecond early.
      expect(row?.durationMs).toBeGreaterThanOrEqual(workMs - 1);
      expect(row?.at.getTime()).toBeGreaterThanOrEqual(sentAtMs - 1);
    },
  );

  scenario(
    ['DL-9.2-06'],
    'is Failed for a status of 500 or above and for an exception after the response began, and otherwise Success',
    async () => {
      const statuses = [200, 204, 302, 400, 404, 499, 500, 503];
      const host = await hosts.start({ handler: ({ headers }) => answer(Number(headers['x-status'])) });
      for (const status of statuses) {
        const response = await fetch(host.url, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'x-status': String(status) },
        });
        expect(response.status).toBe(status);
      }
      const rows = await host.recorded(statuses.length);
      expect(rows.map((row) => [row.statusCode, row.outcome]).toReversed()).toEqual(
        statuses.map((status) => [status, status >= 500 ? 'Failed' : 'Success']),
      );
      const streaming = await hosts.start({
        handler: async function* () {
          yield 1;
          throw new Error('half way');
        },
      });
      const text = streaming.send().then((response) => response.text());
      await expect(text).rejects.toThrow();
      const [row] = await streaming.recorded(1);
      expect(row).toMatchObject({ outcome: 'Failed', statusCode: 200, exceptionMessage: 'half way' });
      expect((await streaming.detail())?.errorCount).toBe(1);
    },
  );

  scenario(
    ['DL-9.2-07', 'DL-9.2-08', 'DL-9.2-09'],
    'has the status to which the host maps an exception; a 4xx is not an error, but is always stored and captured',
    async () => {
      const host = await hosts.start({
        handler: throwNotSignedIn,
        mapError: mapNotSignedIn,
        configure: (options) => {
          options.recordCalls = 'FailuresOnly';
          options.sampleRate = 0;
        },
      });
      expect((await host.send()).status).toBe(401);
      const [row] = await host.recorded(1);
      expect(row).toMatchObject({
        statusCode: 401,
        outcome: 'Success',
        exceptionType: 'NotSignedInError',
        exceptionMessage: 'who are you',
        requestBody: '{"a":1}',
        responseBody: 'mapped by the host',
        responseHeaders: { 'x-mapped': 'yes' },
      });
      expect(await host.detail()).toMatchObject({ totalCalls: 1, errorCount: 0, errorRate: 0 });
      // The same status without an exception is no failure.
      const plain = await hosts.start({
        handler: () => answer(401),
        configure: (options) => {
          options.recordCalls = 'FailuresOnly';
        },
      });
      await plain.send();
      expect(await plain.recorded(1)).toEqual([]);
      const broken = await hosts.start({ handler: throwNotSignedIn, mapError: () => 503 });
      await broken.send();
      expect(await broken.recorded(1)).toMatchObject([{ statusCode: 503, outcome: 'Failed' }]);
      expect((await broken.detail())?.errorRate).toBe(1);
    },
  );

  scenario(
    ['DL-9.2-10'],
    'shares the trace of its request with the jobs that it created, and each links to the other',
    async () => {
      const job = defineJob<unknown>({ name: 'traced', queue: 'traced', parse: (value) => value });
      const host = await hosts.start({
        handler: () => jobs.enqueue(jobs.executor, job, null),
        endpoints: [enqueueingEndpoint({ method: 'POST', route: '/traced', job })],
      });
      const hex = '5bf92f3577b34da6a3ce929d0e0e4736';
      const uuid = '5bf92f35-77b3-4da6-a3ce-929d0e0e4736';
      const response = await host.send({ traceparent: `00-${hex}-00f067aa0ba902b7-01` });
      const { jobId } = (await response.json()) as { jobId: string };
      await host.send();
      const [untraced, traced] = await host.recorded(2);
      expect(traced?.traceId).toBe(uuid);
      expect((await jobs.get(jobId))?.traceId).toBe(uuid);
      const call = await jobs.endpoints.call(traced?.id ?? '');
      expect(call?.relatedJobs).toMatchObject([{ id: jobId, name: 'traced', state: 'Enqueued' }]);
      expect((await jobs.endpoints.origin(uuid))?.id).toBe(traced?.id);
      // A request without a trace of its caller starts a trace.
      const own = await jobs.endpoints.call(untraced?.id ?? '');
      expect(own?.traceId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(own?.relatedJobs).toHaveLength(1);
      // Jobs that the declaration of an endpoint enqueues share the trace of the request as well.
      const accepted = await fetch(`${host.origin}/traced`, {
        method: 'POST',
        body: '{}',
        headers: {
          'content-type': 'application/json',
          traceparent: '00-1bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        },
      });
      expect(accepted.status).toBe(202);
      const { jobId: declared } = (await accepted.json()) as { jobId: string };
      expect((await jobs.get(declared))?.traceId).toBe('1bf92f35-77b3-4da6-a3ce-929d0e0e4736');
    },
  );
});

describe('personal data of endpoint calls', () => {
  scenario(
    ['DL-9.2-13'],
    'captured payloads appear in no log line at Info or above, even if rows cannot be stored',
    async () => {
      const logger = recordingLogger();
      const host = await hosts.start({
        logger,
        configure: (options) => {
          options.captureHeaders = 'Always';
          options.captureRequestBodies = 'Always';
          options.captureResponseBodies = 'Always';
          options.callLogBufferCapacity = 2;
        },
        handler: ({ input }) => input,
      });
      const body = JSON.stringify('planted-payload');
      await hosts.fixture.pool.query(
        `alter table svc_jobs.endpoint_call_log add constraint refused check (request_body !~ 'planted-payload') not valid`,
      );
      for (let at = 0; at < 4; at += 1) await host.send({ 'x-planted': 'planted-payload' }, body);
      expect(await host.recorded(4)).toEqual([]);
      await hosts.fixture.pool.query('alter table svc_jobs.endpoint_call_log drop constraint refused');
      expect(logger.lines.some((line) => line.includes('could not be stored'))).toBe(true);
      const visibleLines = logger.lines.filter((line) => !line.startsWith('debug'));
      expect(visibleLines.filter((line) => line.includes('planted-payload'))).toEqual([]);
    },
  );

  scenario(
    ['DL-9.2-14', 'DL-9.4-06'],
    'the guide describes metadata and tags as personal data, keeps secrets out of tags, and promises no audit trail',
    async () => {
      expect(guide()).toMatch(/Caller metadata[^.]*tags[^.]* personal data/);
      expect(guide()).toMatch(/[Ss]ecrets must not go into tags/);
      expect(guide()).toMatch(/diagnostics[^.]*no audit trail/);
      expect(guide()).toMatch(/no guarantee that each row is stored/);
    },
  );
});

scenario(
  ['DL-9.2-01', 'DL-9.2-06'],
  'a client that disconnects leaves a row, and its handler is notified',
  async () => {
    const began = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const host = await hosts.start({
      handler: async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        began.resolve();
        await aborted.promise;
      },
    });
    const controller = new AbortController();
    const sent = fetch(host.url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
      signal: controller.signal,
    });
    await began.promise;
    controller.abort();
    await expect(sent).rejects.toThrow();
    expect(await host.recorded(1)).toMatchObject([
      { statusCode: 499, outcome: 'Success', remoteIp: '127.0.0.1' },
    ]);
  },
);
