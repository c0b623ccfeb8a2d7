import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import express from 'express';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let svc: RunningService;
let server: Server | undefined;
beforeAll(async () => {
  svc = await startService({
    config: { 'Svc:UserManagement:Enabled': false },
    svc: { principal: () => ({ id: 'u1', roles: ['Editor'] }) },
  });
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
afterAll(() => svc.close());

const listen = async (listener: RequestListener) => {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const post = (origin: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}/svc/api/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'A project', description: '' }),
  });

test('the service works below a router that removes the mount path from the URL', async () => {
  const origin = await listen(
    express()
      .use('/svc', (request, response, next) => svc.svc.handle(request, response, next))
      .use('/other', (request, response, next) => svc.svc.handle(request, response, next))
      .use((request, response) => void response.status(418).send(request.url)),
  );
  expect((await fetch(`${origin}/svc/api/auth/permissions`)).status).toBe(200);
  expect((await post(origin)).status).toBe(201);
  const other = await fetch(`${origin}/other/svc/api/auth/permissions`);
  expect([other.status, await other.text()]).toEqual([418, '/other/svc/api/auth/permissions']);
});

test('a body that an earlier parser has read causes a 500 with an explanation, not a hanging request', async () => {
  const origin = await listen(
    express()
      .use(express.json())
      .use((request, response, next) => svc.svc.handle(request, response, next)),
  );
  const answer = await post(origin);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    code: 'body-already-read',
    detail: expect.stringContaining('before every body parser'),
  });
  expect((await fetch(`${origin}/svc/api/auth/permissions`)).status).toBe(200);
});

test('without a next handler the service answers every path', async () => {
  const origin = await listen((request, response) => svc.svc.handle(request, response));
  expect((await fetch(`${origin}/elsewhere`)).status).toBe(404);
});
