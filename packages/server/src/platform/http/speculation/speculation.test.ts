import { listProjectMembers, listProjects } from '@svc/contract';
import { type RouteApp, startRouteApp } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anonymousCaller, type Caller } from '../../access/index.ts';
import { notFound } from '../refusals/refusal.ts';
import { readRoute, route } from '../route.ts';

const editor: Caller = {
  ...anonymousCaller,
  kind: 'apiKey',
  userId: 1,
  userName: 'editor',
  role: 'Editor',
  scopes: new Set(['Read']),
  apiKeyId: 5,
};
const secret = 'what only the editor may see';

/** Callers of the handler's runs, in order. */
let workedFor: Caller[];
let app: RouteApp;
/** Credential of one test. No other test uses it. */
let someone: string;
let tests = 0;

beforeAll(async () => {
  app = await startRouteApp([
    readRoute(listProjects, async ({ caller }) => {
      workedFor.push(caller);
      if (caller.role === 'Viewer') throw notFound();
      return { items: [], totalCount: caller.userName === secret ? 1 : 0, pageCount: caller.userId ?? 0 };
    }),
    {
      ...route(listProjectMembers, async ({ caller, early }) => ({
        items: [],
        totalCount: caller.userId ?? 0,
        pageCount: early === undefined ? 0 : ((await early) as number),
      })),
      readEarly: ({ caller }) => {
        workedFor.push(caller);
        return caller.role === 'Viewer' ? Promise.reject(notFound()) : Promise.resolve(caller.userId);
      },
    },
  ]);
});
beforeEach(() => {
  workedFor = [];
  tests += 1;
  someone = `someone ${tests}`;
});
afterAll(() => app.close());

const list = (query = '') => app.call(someone, `GET /svc/api/projects${query}`);

test('a known credential is served once per request, for its current caller', async () => {
  app.callers.set(someone, editor);
  for (let request = 0; request < 3; request += 1) expect((await list()).status).toBe(200);
  expect(workedFor).toEqual([editor, editor, editor]);
});

test('an equal object of a caller counts as the same caller', async () => {
  app.callers.set(someone, editor);
  await list();
  app.callers.set(someone, { ...editor, scopes: new Set(['Read']), allowedProjectIds: null });
  expect((await list()).status).toBe(200);
  expect(workedFor).toHaveLength(2);
});

test.each<[string, Partial<Caller>]>([
  ['role', { role: 'Admin' }],
  ['user', { userId: 2 }],
  ['scopes', { scopes: new Set(['Read', 'Execute']) }],
  ['projects', { allowedProjectIds: [3] }],
  ['permissions', { permissions: new Set(['Auditor']) }],
])('a credential whose %s changed is answered for its current caller', async (_what, change) => {
  app.callers.set(someone, editor);
  await list();
  const now = { ...editor, ...change };
  app.callers.set(someone, now);
  const answer = await list();
  expect(answer.body.pageCount).toBe(now.userId);
  expect(workedFor).toEqual([editor, editor, now]);
  await list();
  expect(workedFor.at(-1)).toEqual(now);
});

test('a credential that no longer works is refused, and no result of the early work is sent', async () => {
  app.callers.set(someone, { ...editor, userName: secret });
  expect((await list()).body.totalCount).toBe(1);
  app.callers.delete(someone);
  const refused = await list();
  expect(refused.status).toBe(401);
  expect(refused.body).not.toHaveProperty('items');
  const worked = workedFor.length;
  expect((await list()).status).toBe(401);
  // Nothing begins early a second time.
  expect(workedFor).toHaveLength(worked);
});

test('a caller without access receives 401, and no errors of the request', async () => {
  app.callers.set(someone, editor);
  await list();
  expect((await list('?forApiKey=perhaps')).status).toBe(400);
  app.callers.delete(someone);
  expect((await list('?forApiKey=perhaps')).status).toBe(401);
});

test('a caller who lost every right is refused, although the work was done', async () => {
  app.callers.set(someone, editor);
  await list();
  app.callers.set(someone, { ...editor, role: null });
  expect((await list()).status).toBe(403);
});

test('a failure for the previous caller does not apply to the current one', async () => {
  app.callers.set(someone, { ...editor, role: 'Viewer' });
  expect((await list()).status).toBe(404);
  app.callers.set(someone, editor);
  expect((await list()).status).toBe(200);
});

const members = async () => {
  const { status, body } = await app.call(someone, 'GET /svc/api/projects/1/members');
  return { status, caller: body.totalCount, early: body.pageCount };
};

test('an early read reaches the handler only for the same caller', async () => {
  app.callers.set(someone, editor);
  expect(await members()).toEqual({ status: 200, caller: 1, early: 0 });
  expect(await members()).toEqual({ status: 200, caller: 1, early: 1 });
  app.callers.set(someone, { ...editor, userId: 2 });
  expect(await members()).toEqual({ status: 200, caller: 2, early: 0 });
  expect(await members()).toEqual({ status: 200, caller: 2, early: 2 });
  expect(workedFor.map(({ userId }) => userId)).toEqual([1, 1, 2]);
});

test('an early read for a credential that no longer works is discarded and not repeated', async () => {
  app.callers.set(someone, editor);
  await members();
  app.callers.delete(someone);
  expect((await members()).status).toBe(401);
  expect((await members()).status).toBe(401);
  expect(workedFor).toEqual([editor]);
});

test('an early failure is the failure of the request that uses the read', async () => {
  app.callers.set(someone, { ...editor, role: 'Viewer' });
  expect((await members()).status).toBe(200);
  expect((await members()).status).toBe(404);
  app.callers.set(someone, editor);
  expect(await members()).toEqual({ status: 200, caller: 1, early: 0 });
});
