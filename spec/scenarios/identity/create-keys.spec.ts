import { createHash } from 'node:crypto';
import { addUser, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { dayMs } from '../support/time.ts';

const route = '/svc/api/api-keys';

type Created = { id: number; plainTextKey: string; expiresAt: string; prefix: string };
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const minutes = (count: number) => (count * 60_000) / dayMs;

/**
 * Creates a key and returns bounds of its lifetime in days: [least, most]. They differ by the duration of the
 * request.
 */
async function lifetimeOf(make: () => Promise<{ read: <T>() => T }>): Promise<readonly [number, number]> {
  const before = Date.now();
  const expiry = Date.parse((await make()).read<Created>().expiresAt);
  return [(expiry - Date.now()) / dayMs, (expiry - before) / dayMs];
}

scenario(
  ['ID-2.5-01', 'ID-2.5-02', 'ID-2.5-05', 'ID-2.5-11'],
  'creating a key with a name, scopes and projects returns its plain text',
  async ({ svc, root }) => {
    const editor = await signIn(svc, await addUser(svc, 'key-maker', ['Editor']));
    const project = await addProject(editor, 'Keys');
    const sound = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    const answer = await editor.post(route, sound);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ plainTextKey: expect.stringMatching(/^sk-sem_/) });
    for (const missing of ['name', 'scopes', 'allowedProjectIds']) {
      const refused = await editor.post(route, { ...sound, [missing]: undefined });
      expect([missing, refused.status]).toEqual([missing, 400]);
    }
    expect((await editor.post(route, { ...sound, allowedProjectIds: ['1'] })).status).toBe(400);
    expect((await root.post(route, { ...sound, name: '' })).status).toBe(400);
  },
);

scenario(
  ['ID-2.5-03', 'ID-2.5-04', 'ID-7-07', 'ID-7-08', 'ID-2.5-06', 'ID-7-10', 'RT-9-07'],
  'unknown, missing and retired scopes and an empty project list are refused with 400',
  async ({ root }) => {
    const project = await addProject(root, 'Refusals');
    const sound = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    for (const scopes of [[], ['Write'], ['read'], ['Admin'], ['Read', 'Admin'], 'Read'])
      expect([scopes, (await root.post(route, { ...sound, scopes })).status]).toEqual([scopes, 400]);
    expect((await root.post(route, { ...sound, allowedProjectIds: [] })).status).toBe(400);
    expect((await root.post(route, sound)).status).toBe(201);
  },
);

scenario(
  ['ID-2.5-07', 'ID-7-11'],
  'naming a project that the creator cannot read without the Admin bypass returns 404',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'project-owner', ['Editor']));
    const stranger = await signIn(svc, await addUser(svc, 'project-stranger', ['Editor']));
    const project = await addProject(owner, 'Closed');
    await restrict(root, project);
    const request = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    expect((await owner.post(route, request)).status).toBe(201);
    for (const outsider of [stranger, root]) expect((await outsider.post(route, request)).status).toBe(404);
    expect((await owner.post(route, { ...request, allowedProjectIds: [project, 999_999] })).status).toBe(404);
  },
);

scenario(
  ['ID-7-07', 'RT-9-07'],
  'a key with an unknown scope or without a project cannot be created, and a key without a project cannot be replaced',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Still refused');
    const sound = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    const made = await root.post(route, sound);
    expect(made.status, made.text).toBe(201);
    const count = async () => (await root.get(route)).body.totalCount;
    const before = await count();
    const wrongs = [{ scopes: ['Read', 'Write'] }, { allowedProjectIds: null }, { allowedProjectIds: [] }];
    for (const wrong of wrongs)
      expect([wrong, (await root.post(route, { ...sound, ...wrong })).status]).toEqual([wrong, 400]);
    for (const list of [[], null]) {
      await svc.sql('update svc.api_keys set allowed_project_ids = $2 where id = $1', [made.body.id, list]);
      const replaced = await root.post(`${route}/${made.body.id}/replace`, {});
      expect([list, replaced.status, replaced.body.code]).toEqual([list, 409, 'key-without-projects']);
    }
    expect(await count()).toBe(before);
  },
);

scenario(
  ['ID-2.5-28'],
  'the random parts of keys have different lengths of at most 43 characters',
  async ({ svc }) => {
    const lengths = new Set<number>();
    for (const name of ['one', 'two', 'three', 'four']) {
      const owner = await signIn(svc, await addUser(svc, `random-${name}`, ['Editor']));
      const project = await addProject(owner, `Random ${name}`);
      for (let made = 0; made < 10; made += 1) {
        const body = { name: `Key ${made}`, scopes: ['Read'], allowedProjectIds: [project] };
        const { plainTextKey } = (await owner.post(route, body)).read<Created>();
        expect(plainTextKey).toMatch(/^sk-sem_[A-Za-z0-9]{32,43}$/);
        lengths.add(plainTextKey.length);
      }
    }
    // The chance that all 40 keys have one length is below one in a million million.
    expect(lengths.size).toBeGreaterThan(1);
  },
);

scenario(
  ['ID-4-19'],
  'the project picker offers only projects that can be read without the Admin bypass',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'picker', ['Editor']));
    const closed = await addProject(owner, 'Picker closed');
    const open = await addProject(owner, 'Picker open');
    await restrict(root, closed);
    const ids = async (path: string) =>
      (await root.get(path)).read<{ items: { id: number }[] }>().items.map(({ id }) => id);
    expect(await ids('/svc/api/projects?pageSize=200')).toEqual(expect.arrayContaining([closed, open]));
    const offered = await ids('/svc/api/projects?forApiKey=true&pageSize=200');
    expect(offered).toContain(open);
    expect(offered).not.toContain(closed);
  },
);

scenario(
  ['ID-2.5-08', 'ID-5.6-18', 'ID-8-06'],
  'a key without a requested expiry is valid for 90 days',
  async ({ root }) => {
    const project = await addProject(root, 'Lifetimes');
    const [least, most] = await lifetimeOf(() =>
      root.post(route, { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] }),
    );
    expect(least).toBeLessThanOrEqual(90);
    expect(most).toBeGreaterThanOrEqual(90);
  },
);

scenario(
  ['ID-2.5-09', 'ID-2.5-10', 'ID-5.6-19', 'ID-5.6-21', 'ID-7-09', 'ID-8-07', 'ID-2.6-10'],
  'an expiry in the past, now, or beyond 365 days is refused with 400',
  async ({ root }) => {
    const project = await addProject(root, 'Expiries');
    const sound = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    const { id } = (await root.post(route, sound)).read<Created>();
    for (const path of [route, `${route}/${id}/replace`]) {
      const body = path === route ? sound : {};
      const until = async (days: number) =>
        (await root.post(path, { ...body, expiresAt: daysFromNow(days) })).status;
      for (const days of [-1, 0, 365 + minutes(1)])
        expect([path, days, await until(days)]).toEqual([path, days, 400]);
      expect([path, await until(365 - minutes(1))]).toEqual([path, 201]);
    }
  },
);

scenario(
  ['ID-5.6-20'],
  'a maximum lifetime below 90 days is also the default lifetime',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Short');
    const strict = await svc.replica({ 'Svc:ApiKeys:MaxLifetimeDays': 30 });
    const browser = await signIn(strict, superAdmin);
    const sound = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    const [least, most] = await lifetimeOf(() => browser.post(route, sound));
    expect(least).toBeLessThanOrEqual(30);
    expect(most).toBeGreaterThanOrEqual(30);
    const until = async (days: number) =>
      (await browser.post(route, { ...sound, expiresAt: daysFromNow(days) })).status;
    expect(await until(30 + minutes(1))).toBe(400);
    expect(await until(30 - minutes(1))).toBe(201);
  },
);

scenario(
  [
    'ID-2.5-12',
    'ID-2.5-13',
    'ID-2.5-14',
    'ID-2.5-15',
    'ID-2.5-16',
    'ID-2.5-17',
    'ID-2.5-18',
    'ID-8-08',
    'ID-8-09',
    'ID-0-02',
  ],
  'a key is random, shown once, and stored only as its SHA-256 hash and a prefix',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Storage');
    const keys = new Set<string>();
    for (let index = 0; index < 20; index++) {
      const answer = await root.post(route, {
        name: `k${index}`,
        scopes: ['Read'],
        allowedProjectIds: [project],
      });
      const { id, plainTextKey } = answer.read<Created>();
      keys.add(plainTextKey);
      const random = plainTextKey.slice('sk-sem_'.length);
      expect(plainTextKey.startsWith('sk-sem_')).toBe(true);
      expect(random).toMatch(/^[A-Za-z0-9]{30,43}$/);
      const [row] = await svc.sql('select * from svc.api_keys where id = $1', [id]);
      expect(row).toMatchObject({
        key_hash: createHash('sha256').update(plainTextKey).digest(),
        prefix: plainTextKey.slice(0, 16),
        scopes: ['Read'],
        allowed_project_ids: [project],
        owner_user_id: expect.any(Number),
        owner_generation: 0,
        created_time: expect.any(Date),
        expires_at: expect.any(Date),
        last_used_at: null,
        revoked_at: null,
      });
      expect(JSON.stringify(row)).not.toContain(random);
    }
    expect(keys.size).toBe(20);
    const lists = [await root.get(`${route}?pageSize=200`), await root.get(`${route}/admin?pageSize=200`)];
    for (const key of keys) for (const list of lists) expect(list.text).not.toContain(key.slice(20));
    expect(JSON.stringify(svc.log)).not.toContain([...keys][0]?.slice(16));
  },
);

scenario(
  ['ID-5.6-30', 'ID-5.6-32', 'ID-5.6-33', 'ID-7-06'],
  'an Execute key requires the Editor role or above, and a disabled user cannot create a key',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Makers');
    const execute = { name: 'CI', scopes: ['Execute'], allowedProjectIds: [project] };
    const viewerPerson = await addUser(svc, 'maker-viewer', ['Viewer']);
    const viewer = await signIn(svc, viewerPerson);
    const editor = await signIn(svc, await addUser(svc, 'maker-editor', ['Editor']));
    const nobody = await signIn(svc, await addUser(svc, 'maker-none', []));
    expect((await viewer.post(route, execute)).status).toBe(403);
    expect((await nobody.post(route, { ...execute, scopes: ['Read'] })).status).toBe(403);
    expect((await viewer.post(route, { ...execute, scopes: ['Read'] })).status).toBe(201);
    expect((await editor.post(route, execute)).status).toBe(201);
    expect((await root.post(route, execute)).status).toBe(201);
    await svc.sql('update svc.users set is_enabled = false where user_name = $1', [viewerPerson.userName]);
    expect([401, 403]).toContain((await viewer.post(route, { ...execute, scopes: ['Read'] })).status);
  },
);
