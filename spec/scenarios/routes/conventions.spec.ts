import type { Answer } from '@svc/testkit/client/http-client.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

type Operation = { responses: Record<string, unknown>; security: object[] };
type OpenApi = { openapi: string; paths: Record<string, Record<string, Operation>> };
type Page = { items: { id: number; name: string }[]; totalCount: number; pageCount: number };

const projects = '/svc/api/projects';

scenario(
  ['RT-4.7-01', 'RT-9-01', 'RT-9-02'],
  'the OpenAPI document describes a response of each operation, and no path contains a version',
  async ({ root }) => {
    const document = (await root.get('/openapi/v1.json')).read<OpenApi>();
    expect(document.openapi).toMatch(/^3\./);
    const paths = Object.keys(document.paths);
    expect(paths).toEqual(expect.arrayContaining(['/svc/api/health', projects, `${projects}/{id}`]));
    expect(paths.filter((path) => /\/v\d+(\/|$)/.test(path))).toEqual([]);
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods))
        expect([
          path,
          method,
          Object.keys(operation.responses).some((status) => status.startsWith('2')),
        ]).toEqual([path, method, true]);
  },
);

scenario(
  ['RT-7-01', 'RT-2-02', 'RT-2-03', 'RT-5-02', 'RT-4.3-01', 'RT-5-01'],
  'without a credential, every protected route returns the same 401 problem and does not redirect',
  async ({ svc, root }) => {
    const document = (await root.get('/openapi/v1.json')).read<OpenApi>();
    const stranger = svc.client();
    let asked = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.security.length === 0) continue;
        const answer = await stranger.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1'));
        expect([method, path, answer.status]).toEqual([method, path, 401]);
        expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        expect(answer.body).toMatchObject({ type: 'about:blank', title: 'Unauthorized', status: 401 });
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(15);
  },
);

scenario(
  ['RT-4.4-01', 'RT-4.4-02', 'RT-4.4-03', 'RT-4.4-04', 'RT-8-01', 'RT-8-02'],
  'pages count from zero and have 20 rows by default, and page numbers and sizes outside the range are adjusted',
  async ({ svc }) => {
    const browser = await signIn(svc, await addUser(svc, 'pager', ['Editor']));
    for (let index = 0; index < 25; index++)
      await addProject(browser, `Page ${String(index).padStart(2, '0')}`);
    const page = async (query: string) => (await browser.get(`${projects}${query}`)).read<Page>();
    const first = await page('');
    expect(first.items).toHaveLength(20);
    expect(first.pageCount).toBe(Math.ceil(first.totalCount / 20));
    expect((await page('?page=0')).items).toEqual(first.items);
    expect((await page('?page=-5')).items).toEqual(first.items);
    const second = await page('?page=1');
    expect(second.items).not.toContainEqual(first.items[0]);
    for (const [size, length] of [
      ['0', 1],
      ['-3', 1],
      ['1', 1],
      ['7', 7],
    ] as const)
      expect([size, (await page(`?pageSize=${size}`)).items.length]).toEqual([size, length]);
    const large = await page('?pageSize=100000');
    expect(large.items.length).toBe(Math.min(200, large.totalCount));
    expect(large.pageCount).toBe(Math.ceil(large.totalCount / 200));
    expect((await page('?page=9999')).items).toEqual([]);
  },
);

scenario(
  ['RT-4.4-980', 'RT-4.4-981'],
  'the links of a list lead through the entire list in its order',
  async ({ svc }) => {
    const browser = await signIn(svc, await addUser(svc, 'follower', ['Editor']));
    for (let index = 0; index < 7; index++) await addProject(browser, `Linked ${index}`);
    const whole = (await browser.get(`${projects}?pageSize=200&sort=-name`)).read<Page>();
    const seen: string[] = [];
    let next: string | undefined = `${projects}?pageSize=3&sort=-name`;
    for (let pages = 0; next !== undefined; pages++) {
      expect(pages).toBeLessThan(100);
      const answer: Answer = await browser.get(next);
      seen.push(...answer.read<Page>().items.map(({ name }) => name));
      const link = answer.headers.get('link') ?? '';
      expect(link).toContain('rel="first"');
      expect(link.includes('rel="prev"')).toBe(pages > 0);
      next = /<([^>]+)>; rel="next"/.exec(link)?.[1];
    }
    expect(seen).toEqual(whole.items.map(({ name }) => name));
  },
);

scenario(['RT-2-980'], 'every response of the API forbids caching', async ({ svc, root }) => {
  const answers = [
    await root.get(projects),
    await root.get(`${projects}/999999`),
    await root.get('/svc/api/nowhere'),
    await root.post(projects, {}),
    await svc.client().get(projects),
    await svc.client().get('/svc/api/health'),
  ];
  const download = await root.get('/svc/api/mcp/audit/export');
  expect([download.status, download.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/^attachment/),
  ]);
  answers.push(download);
  expect(answers.slice(0, 6).map(({ status }) => status)).toEqual([200, 404, 404, 400, 401, 200]);
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
});

scenario(
  ['RT-4.4-05', 'RT-4.4-06', 'RT-4.4-07'],
  'sort accepts several names and a minus for descending, and ignores unknown names',
  async ({ svc }) => {
    const browser = await signIn(svc, await addUser(svc, 'sorter', ['Editor']));
    for (const name of ['Sort b', 'Sort a', 'Sort c']) await addProject(browser, name);
    const names = async (sort: string) =>
      (await browser.get(`${projects}?pageSize=200&sort=${sort}`))
        .read<Page>()
        .items.map(({ name }) => name)
        .filter((name) => name.startsWith('Sort '));
    expect(await names('name')).toEqual(['Sort a', 'Sort b', 'Sort c']);
    expect(await names('-name')).toEqual(['Sort c', 'Sort b', 'Sort a']);
    expect(await names('nonsense,-name')).toEqual(['Sort c', 'Sort b', 'Sort a']);
    expect(await names('-createdTime,name')).toEqual(['Sort c', 'Sort a', 'Sort b']);
    expect(await names('nonsense')).toHaveLength(3);
  },
);

scenario(
  ['RT-4.4-10', 'RT-4.3-05', 'RT-7-03'],
  'records that a caller cannot read are not counted, and are indistinguishable from missing ones',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'hider', ['Editor']));
    const outsider = await signIn(svc, await addUser(svc, 'outsider', ['Editor']));
    const count = async () => (await outsider.get(`${projects}?pageSize=1`)).read<Page>();
    const before = await count();
    const hidden = await addProject(owner, 'Hidden');
    expect((await count()).totalCount).toBe(before.totalCount + 1);
    await restrict(root, hidden);
    expect(await count()).toMatchObject({ totalCount: before.totalCount, pageCount: before.pageCount });
    const answers = [await outsider.get(`${projects}/${hidden}`), await outsider.get(`${projects}/999999`)];
    const shapes = answers.map(({ status, body }) =>
      JSON.stringify([status, { ...(body as object), traceId: '' }]),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(shapes[0]).toBe(shapes[1]);
    const changed = await outsider.patch(`${projects}/${hidden}`, { description: 'x' });
    expect(changed.status).toBe(404);
  },
);

scenario(
  ['RT-4.3-06', 'RT-7-04', 'RT-7-02'],
  'changing a record that the caller can only read returns a 403 problem',
  async ({ svc, root }) => {
    const viewer = await signIn(svc, await addUser(svc, 'reader', ['Viewer']));
    const project = await addProject(root, 'Readable');
    expect((await viewer.get(`${projects}/${project}`)).status).toBe(200);
    const editor = await signIn(svc, await addUser(svc, 'plain-editor', ['Editor']));
    for (const answer of [
      await viewer.patch(`${projects}/${project}`, { description: 'x' }),
      await editor.delete(`${projects}/${project}`),
      await editor.put(`${projects}/${project}/access-mode`, { accessMode: 'Restricted' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ status: 403 })]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
  },
);
