import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { access, defineEndpoint, IdParams, listQuery, pageOf as pageSchema } from '@svc/contract';
import { pino } from 'pino';
import { Type } from 'typebox';
import { anonymousCaller, type Caller } from '../../access/index.ts';
import { createHttpApp } from '../app.ts';
import { pageOfKept, pageRequest } from '../paging.ts';
import { HttpProblem } from '../refusals/http-problem.ts';
import { unauthorized } from '../refusals/refusal.ts';
import { type Route, route } from '../route.ts';

const base = { tag: 'test', summary: 'Test' } as const;
const echo = defineEndpoint({
  ...base,
  operationId: 'echo',
  method: 'POST',
  path: '/svc/api/things',
  body: Type.Object({
    name: Type.String({ minLength: 1 }),
    inner: Type.Optional(Type.Object({ count: Type.Integer() })),
  }),
  responses: { 201: Type.Object({ name: Type.String() }) },
  access: access.write(),
});
const list = defineEndpoint({
  ...base,
  operationId: 'list',
  method: 'GET',
  path: '/svc/api/things',
  query: Type.Object(listQuery),
  responses: {
    200: pageSchema(Type.Object({ limit: Type.Integer(), offset: Type.Integer(), order: Type.String() })),
  },
  access: access.read(),
});
export const one = defineEndpoint({
  ...base,
  operationId: 'one',
  method: 'GET',
  path: '/svc/api/things/{id}',
  params: IdParams,
  responses: { 200: Type.Object({ id: Type.Integer() }) },
  access: access.read(),
});
const failing = defineEndpoint({
  ...base,
  operationId: 'failing',
  method: 'GET',
  path: '/svc/api/failing',
  responses: { 204: null },
  access: access.read(),
});

const editor: Caller = { ...anonymousCaller, kind: 'session', userId: 1, userName: 'e', role: 'Editor' };
const callersByToken: Record<string, Caller> = { editor, viewer: { ...editor, role: 'Viewer' } };

/** Settings of the application that a test can change. */
type Behaviour = {
  /** Error that `GET /svc/api/failing` throws. */
  failure: Error;
  isSetupOpen: boolean;
};

const routesOf = (behaviour: Behaviour): Route[] => [
  route(echo, async ({ body }) => ({ name: body.name, hidden: 'not declared' }) as { name: string }),
  route(list, async ({ query }) => {
    const page = pageRequest(query, {
      sortable: { name: 'name', createdTime: 'created' },
      byDefault: 'name',
      unique: 'id',
    });
    const order = page.order.map((entry) => `${entry.descending ? '-' : ''}${entry.column}`).join();
    return pageOfKept([{ limit: page.limit, offset: page.offset, order }], 41, page);
  }),
  route(one, async ({ params }) => ({ id: params.id })),
  route(failing, async () => {
    throw behaviour.failure;
  }),
];

const createApp = (behaviour: Behaviour) =>
  createHttpApp({
    routes: routesOf(behaviour),
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 2_000,
    knownProxies: [],
    authenticate: async (request) => {
      const token = request.headers['authorization'];
      if (token === undefined) return anonymousCaller;
      const caller = callersByToken[token];
      if (!caller) throw unauthorized('Invalid or expired API key.');
      return caller;
    },
    checkAntiforgery: () => undefined,
    isSetupOpen: () => behaviour.isSetupOpen,
    errorMapping: (error) =>
      error instanceof RangeError
        ? new HttpProblem(400, { type: '/errors/host', title: error.message })
        : undefined,
  });

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** Starts an application with a few routes. Its callers are `editor` and `viewer`, by their authorization header. */
export async function startTestApp() {
  const behaviour: Behaviour = { failure: new Error('secret detail'), isSetupOpen: false };
  const app = await createApp(behaviour);
  const server = createServer((request, response) => app.routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = (path: string, init: RequestInit & { as?: string } = {}) =>
    fetch(origin + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(init.as !== '' && { authorization: init.as ?? 'editor' }), ...init.headers },
    });
  return {
    behaviour,
    origin,
    call,
    post: (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
      call('/svc/api/things', { method: 'POST', body, headers }),
    close: async () => {
      await app.close();
      server.close();
    },
  };
}
