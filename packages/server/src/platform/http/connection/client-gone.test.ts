import { access, defineEndpoint } from '@svc/contract';
import { person, type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { route } from '../route.ts';

const wait = defineEndpoint({
  operationId: 'wait',
  tag: 'test',
  summary: 'Test',
  method: 'POST',
  path: '/svc/api/wait',
  body: Type.Object({ untilGone: Type.Boolean() }),
  responses: { 200: Type.Object({ isAborted: Type.Boolean() }) },
  access: access.write(),
});

let app: RouteApp;
let reached: () => void = () => undefined;
let gone: () => void = () => undefined;
const isReached = new Promise<void>((resolve) => {
  reached = resolve;
});
const isGone = new Promise<void>((resolve) => {
  gone = resolve;
});

beforeAll(async () => {
  app = await startRouteApp([
    route(wait, async ({ body, signal }) => {
      // The body has been read by now; let its stream close as well.
      await new Promise((resolve) => setImmediate(resolve));
      if (!body.untilGone) return { isAborted: signal.aborted };
      signal.addEventListener('abort', gone, { once: true });
      reached();
      await isGone;
      return { isAborted: signal.aborted };
    }),
  ]);
  app.callers.set('editor', person(1, { role: 'Editor' }));
});
afterAll(() => app.close());

test('a request whose body was read is not treated as a disconnected client', async () => {
  const { body } = await app.call('editor', 'POST /svc/api/wait', { body: { untilGone: false } });
  expect(body).toEqual({ isAborted: false });
});

test('a client that disconnects aborts the signal', async () => {
  const client = new AbortController();
  const call = app.call('editor', 'POST /svc/api/wait', { body: { untilGone: true }, signal: client.signal });
  await isReached;
  client.abort();
  await expect(call).rejects.toThrow();
  await isGone;
});
