import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const views = '/svc/api/saved-views';
let svc: RunningService;
let ada: HttpClient;
let bo: HttpClient;

beforeAll(async () => {
  svc = await startService();
  await setUp(svc);
  [ada, bo] = (await Promise.all(
    (['ada', 'bo'] as const).map(async (name) => {
      await createUser(svc.database, name, 'Viewer');
      return signIn(svc, name);
    }),
  )) as [HttpClient, HttpClient];
});
afterAll(() => svc.close());

const save = (client: HttpClient, name: string, change: Readonly<Record<string, unknown>> = {}) =>
  client.post(views, { list: 'queries', name, search: 'search=late&sort=-name', ...change });
const named = async (client: HttpClient, list = 'queries'): Promise<string[]> =>
  (await client.get(`${views}?list=${list}`)).body.items.map(({ name }: { name: string }) => name);

describe('200', () => {
  test('views are listed by name, separately for each list and each user', async () => {
    for (const name of ['late', 'Mine', 'active']) expect((await save(ada, name)).status).toBe(201);
    await save(ada, 'other list', { list: 'tasks' });
    await save(bo, 'late');
    expect(await named(ada)).toEqual(['active', 'late', 'Mine']);
    expect(await named(ada, 'tasks')).toEqual(['other list']);
    expect(await named(bo)).toEqual(['late']);
  });

  test('a view can be renamed and can get another search without losing its other fields', async () => {
    const { id } = (await save(ada, 'to change')).body;
    const renamed = await ada.patch(`${views}/${id}`, { name: ' Changed ' });
    expect(renamed.body).toMatchObject({ id, name: 'Changed', search: 'search=late&sort=-name' });
    expect((await ada.patch(`${views}/${id}`, { search: '' })).body).toMatchObject({
      name: 'Changed',
      search: '',
    });
  });
});

test('a deleted view is no longer listed', async () => {
  const { id } = (await save(ada, 'to delete')).body;
  expect((await ada.delete(`${views}/${id}`)).status).toBe(204);
  expect(await named(ada)).not.toContain('to delete');
});

describe('400', () => {
  test.each([
    ['an invalid name of a list', { list: '../queries' }],
    ['no name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(81) }],
    ['a URL instead of a search', { search: 'https://example.com/?a=b' }],
    ['a fragment', { search: 'a=b#c' }],
    ['a search that is too long', { search: `a=${'x'.repeat(2_000)}` }],
    ['an unknown member', { userId: 1 }],
  ])('refuses %s', async (_what, change) => {
    expect((await save(ada, 'bad', change)).body).toMatchObject({ status: 400, code: 'invalid-input' });
  });
});

describe('404', () => {
  test('a view of another user can be neither changed nor deleted', async () => {
    const { id } = (await save(bo, 'of bo')).body;
    expect((await ada.patch(`${views}/${id}`, { name: 'of ada' })).status).toBe(404);
    expect((await ada.delete(`${views}/${id}`)).status).toBe(404);
    expect(await named(bo)).toContain('of bo');
  });
});

describe('409', () => {
  test('a name can be used only once in any case, even by two simultaneous requests', async () => {
    const answers = await Promise.all(['Twice', 'tWICE'].map((name) => save(ada, name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const { id } = (await save(ada, 'third')).body;
    const renamed = await ada.patch(`${views}/${id}`, { name: 'TWICE' });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'view-exists']);
  });

  test('a list has at most fifty views for each user', async () => {
    for (let number = 1; number <= 50; number++)
      expect((await save(ada, `view ${number}`, { list: 'full' })).status).toBe(201);
    const { status, body } = await save(ada, 'one more', { list: 'full' });
    expect([status, body.code]).toEqual([409, 'too-many-views']);
    expect((await save(bo, 'his first', { list: 'full' })).status).toBe(201);
  });
});
