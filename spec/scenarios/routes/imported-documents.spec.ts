import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-301'],
  'documents that the host imports into a project can be listed and read only in that project',
  async ({ start }) => {
    const svc = await start();
    const root = await setUp(svc);
    const [shop, other] = [await addProject(root, 'Shop'), await addProject(root, 'Other')];
    const read = () => [{ path: 'terms.md', content: '# Terms\n\nAn order is late after 3 days.\n' }];
    await svc.replica({}, { documents: [{ project: 'Shop', name: 'dictionary', read }] });
    const list = (project: number) => `/svc/api/projects/${project}/imported-documents`;
    const { items, totalCount } = (await root.get(list(shop))).body;
    expect(items).toMatchObject([{ title: 'Terms', path: 'terms.md', source: 'dictionary' }]);
    expect([totalCount, (await root.get(list(other))).body.totalCount]).toEqual([1, 0]);
    const [{ id }] = items;
    expect((await root.get(`${list(shop)}/${id}`)).body.content).toContain('late after 3 days');
    expect((await root.get(`${list(other)}/${id}`)).status).toBe(404);
  },
);

scenario(
  ['RT-4.3-1463'],
  'the older reading of one process does not replace the newer reading of another process',
  async ({ start }) => {
    const svc = await start();
    const root = await setUp(svc);
    const project = await addProject(root, 'Shop');
    const sourceOf = (read: () => Promise<{ path: string; content: string }[]>) => ({
      documents: [{ project: 'Shop', name: 'dictionary', read }],
    });
    const began = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    // Each process imports at its start.
    const older = svc.replica(
      {},
      sourceOf(async () => {
        began.resolve();
        await released.promise;
        return [{ path: 'terms.md', content: '# Old terms' }];
      }),
    );
    await began.promise;
    await svc.replica(
      {},
      sourceOf(async () => [{ path: 'terms.md', content: '# New terms' }]),
    );
    released.resolve();
    await older;
    const { items } = (await root.get(`/svc/api/projects/${project}/imported-documents`)).body;
    expect(items).toMatchObject([{ title: 'New terms' }]);
  },
);

scenario(
  ['RT-4.3-1472'],
  'the response of an import that a newer import overtook states that its texts were not stored',
  async ({ start }) => {
    const began = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const of = (read: () => Promise<{ path: string; content: string }[]>) => ({
      documents: [{ project: 'Shop', name: 'dictionary', read }],
    });
    const slow = async () => {
      began.resolve();
      await released.promise;
      return [{ path: 'terms.md', content: '# Old terms' }];
    };
    const svc = await start({}, of(slow));
    const root = await setUp(svc);
    const project = await addProject(root, 'Shop');
    const older = root.post(`/svc/api/projects/${project}/document-import`);
    await began.promise;
    await svc.replica(
      {},
      of(async () => [{ path: 'terms.md', content: '# New terms' }]),
    );
    released.resolve();
    expect((await older).body).toMatchObject({
      sources: [{ source: 'dictionary', isRead: true, isSuperseded: true, imported: 0, archived: 0 }],
    });
    const { items } = (await root.get(`/svc/api/projects/${project}/imported-documents`)).body;
    expect(items).toMatchObject([{ title: 'New terms' }]);
  },
);

scenario(
  ['RT-4.3-1473'],
  'an import does not archive documents of a source that another process has read in the meantime',
  async ({ start }) => {
    const svc = await start();
    const root = await setUp(svc);
    const project = await addProject(root, 'Shop');
    const source = (name: string, read: () => Promise<{ path: string; content: string }[]>) =>
      ({ project: 'Shop', name, read }) as const;
    const began = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow = source('dictionary', async () => {
      began.resolve();
      await released.promise;
      return [{ path: 'terms.md', content: '# Terms' }];
    });
    const older = svc.replica({}, { documents: [slow] });
    await began.promise;
    const wiki = source('wiki', async () => [{ path: 'wiki.md', content: '# Wiki' }]);
    await svc.replica({}, { documents: [wiki] });
    released.resolve();
    await older;
    const { items } = (await root.get(`/svc/api/projects/${project}/imported-documents`)).body;
    expect(items).toMatchObject([{ title: 'Wiki' }]);
  },
);

scenario(
  [
    'RT-4.3-1410',
    'RT-4.3-1411',
    'RT-4.3-1412',
    'RT-4.3-1413',
    'RT-4.3-1414',
    'RT-4.3-1415',
    'RT-4.3-1416',
    'RT-4.3-1417',
    'RT-4.3-1418',
    'RT-4.3-1419',
    'RT-4.3-1464',
  ],
  'a project admin can upload, replace and delete documents and import the folder, and AI clients find their text',
  async ({ start, onEnd }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'svc-documents-'));
    onEnd(() => rm(folder, { recursive: true }));
    const svc = await start({ 'Svc:Documents': { Shop: folder } });
    const root = await setUp(svc);
    const project = await addProject(root, 'Shop');
    const chief = await signIn(svc, await addUser(svc, 'chief', ['Editor']));
    const other = await signIn(svc, await addUser(svc, 'other', ['Editor']));
    await root.post(`/svc/api/projects/${project}/members`, { userName: 'chief', role: 'ProjectAdmin' });
    const base = `/svc/api/projects/${project}/imported-documents`;
    const headers = { 'content-type': 'application/octet-stream' };
    const send = (method: 'POST' | 'PUT', at: string, rawBody: string, client = chief) =>
      client.send(method, at, undefined, { rawBody, headers });
    const read = async (id: number) => (await chief.get(`${base}/${id}`)).body;

    const page = '<!doctype html><title>Late orders</title><p>After <b>3</b> days.<script>alert(1)</script>';
    expect((await send('POST', `${base}?name=late.html`, page, other)).status).toBe(403);
    const uploaded = await send('POST', `${base}?name=late.html`, page);
    expect(uploaded.status, uploaded.text).toBe(201);
    const { id } = uploaded.read<{ id: number }>();
    expect(await read(id)).toMatchObject({
      title: 'Late orders',
      content: 'After 3 days.',
      isUploaded: true,
    });
    expect((await chief.get(`${base}/${id}`)).text).not.toContain('alert');
    for (const [content, status, code] of [
      ['%PDF-1.7', 400, 'document-content-refused'],
      ['a\u0000b', 400, 'document-content-refused'],
      ['x'.repeat(512 * 1024 + 1), 413, 'body-too-large'],
    ] as const) {
      const refused = await send('POST', `${base}?name=other.md`, content);
      expect([refused.status, refused.body.code]).toEqual([status, code]);
    }
    expect((await send('PUT', `${base}/${id}`, '# Replaced\n\nAfter forty days.')).status).toBe(200);
    expect(await read(id)).toMatchObject({ title: 'Replaced', content: '# Replaced\n\nAfter forty days.' });

    const call = async (toolName: string, args: object) =>
      (await chief.post('/svc/api/mcp/tools/run', { toolName, projectId: project, arguments: args })).text;
    const searchResult = await call('search', { query: 'forty' });
    expect(searchResult).toContain('Replaced');
    expect(await call('get_documentation', { document_id: id })).toContain('After forty days.');
    expect(await call('get_documentation', { document_id: id + 1_000 })).toContain(
      'Call search: it names the documents',
    );

    await writeFile(path.join(folder, 'terms.md'), '# Terms');
    const imported = await chief.post(`/svc/api/projects/${project}/document-import`);
    expect(imported.body).toMatchObject({ sources: [{ source: 'settings', isRead: true, imported: 1 }] });
    expect((await chief.post(`/svc/api/projects/${project}/document-import`)).body).toMatchObject({
      sources: [{ imported: 0, archived: 0 }],
    });
    const { items } = (await chief.get(`${base}?sort=title`)).body;
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Replaced', 'Terms']);
    const terms = items[1].id;
    const refusals = [await send('PUT', `${base}/${terms}`, 'Text'), await chief.delete(`${base}/${terms}`)];
    for (const { status, body } of refusals)
      expect([status, body.code]).toEqual([409, 'document-from-import']);
    expect(await read(terms)).toMatchObject({ content: '# Terms' });

    expect((await chief.delete(`${base}/${id}`)).status).toBe(204);
    expect((await chief.get(`${base}/${id}`)).status).toBe(404);
    expect(await svc.sql(`select from svc.imported_documents where content like '%forty%'`)).toEqual([]);
    const events = await svc.sql<{ event: string }>(
      `select event from svc.audit_events where project_id = $1 and event ~ 'document' order by id`,
      [project],
    );
    expect(events.map(({ event }) => event)).toEqual([
      'projects.document_uploaded',
      'projects.document_replaced',
      'projects.documents_imported',
      'projects.document_removed',
    ]);
  },
);
