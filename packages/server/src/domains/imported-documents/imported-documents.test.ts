import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let svc: RunningService;
let root: Awaited<ReturnType<typeof setUp>>;
let folder: string;
let project: number;
const write = async (place: string, content: string | Buffer) => {
  await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
  await writeFile(path.join(folder, place), content);
};

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  project = await addProject(root, 'Shop');
  folder = await mkdtemp(path.join(tmpdir(), 'documents-'));
});
afterAll(async () => {
  await svc.close();
  await rm(folder, { recursive: true });
});

type Item = { id: number; path: string; title: string; source: string; importedAt: string };
const listed = async (filter = ''): Promise<Item[]> =>
  (await root.get(`/svc/api/projects/${project}/imported-documents${filter}`)).body.items;
const pathsOf = (items: readonly Item[]) => items.map(({ path: place }) => place);

/** Starts another process on the same database, which imports at its start. Returns its log messages about documents. */
async function importWith(documents: object, given: Parameters<RunningService['replica']>[1] = {}) {
  const replica = await svc.replica({ 'Svc:Documents': documents }, given);
  await replica.close();
  return replica.log.filter(({ msg }) => msg.includes('document'));
}

test('an import adds, updates and removes files, and writes nothing if nothing changed', async () => {
  await write('orders.md', '---\ntitle: Orders\n---\nOne row an order.\n');
  await write('deep/below/lines.MARKDOWN', '# Lines\n');
  await write('notes.txt', 'Notes');
  await importWith({ Shop: folder });
  const first = await listed();
  expect(first.map(({ title, path: place, source }) => [title, place, source])).toEqual([
    ['Lines', 'deep/below/lines.MARKDOWN', 'settings'],
    ['notes', 'notes.txt', 'settings'],
    ['Orders', 'orders.md', 'settings'],
  ]);
  const [, , orders] = first;
  const read = await root.get(`/svc/api/projects/${project}/imported-documents/${orders?.id}`);
  expect(read.body).toMatchObject({ title: 'Orders', content: 'One row an order.\n', byteLength: 40 });

  await importWith({ [String(project)]: folder });
  expect(await listed()).toEqual(first);

  await write('notes.txt', 'Other notes');
  await rm(path.join(folder, 'orders.md'));
  await importWith({ Shop: folder });
  const second = await listed();
  expect(pathsOf(second)).toEqual(['deep/below/lines.MARKDOWN', 'notes.txt']);
  expect(second[0]).toEqual(first[0]);
  expect(second[1]?.id).toBe(first[1]?.id);
  expect(second[1]?.importedAt).not.toBe(first[1]?.importedAt);

  await write('orders.md', 'Back again');
  await importWith({ Shop: folder });
  expect((await listed()).find(({ path: place }) => place === 'orders.md')?.id).toBe(orders?.id);
  expect(pathsOf(await listed('?search=BACK'))).toEqual(['orders.md']);
});

test('links, hidden files and files without text are not imported, and the log contains only their paths', async () => {
  await rm(folder, { recursive: true });
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
  await writeFile(path.join(elsewhere, 'secret.md'), 'The secret');
  await write('kept.md', 'Kept');
  await write('.hidden.md', 'Hidden');
  await write('.git/config.md', 'Hidden');
  await write('program.js', 'alert(1)');
  await write('binary.md', Buffer.from([0xff, 0xfe, 0x41]));
  await write('nul.md', 'a\0b');
  await write('large.md', 'x'.repeat(512 * 1024 + 1));
  await symlink(path.join(elsewhere, 'secret.md'), path.join(folder, 'link.md'));
  await symlink(elsewhere, path.join(folder, 'linked'));
  const log = await importWith({ Shop: folder });
  expect(pathsOf(await listed())).toEqual(['kept.md']);
  expect(log.flatMap((entry) => ('reason' in entry ? [[entry['path'], entry['reason']]] : []))).toEqual([
    ['binary.md', 'not-utf-8'],
    ['large.md', 'too-large'],
    ['nul.md', 'not-utf-8'],
  ]);
  expect(JSON.stringify(log)).not.toContain('xxxx');
  await rm(elsewhere, { recursive: true });
});

test('the host supplies its own documents, and a failing source does not change its documents', async () => {
  const given = (read: () => { path: string; content: string }[]) => ({
    documents: [{ project: 'Shop', name: 'dictionary', read }],
  });
  await importWith(
    {},
    given(() => [{ path: 'a/terms.md', content: '# Terms' }]),
  );
  expect((await listed()).map(({ source, title }) => [source, title])).toEqual([['dictionary', 'Terms']]);
  const log = await importWith(
    {},
    given(() => {
      throw new Error('The dictionary is away.');
    }),
  );
  expect(log.map(({ msg }) => msg)).toEqual(['a source of documents could not be read']);
  expect(pathsOf(await listed())).toEqual(['a/terms.md']);
  await importWith({});
  expect(await listed()).toEqual([]);
});

test('an unknown project name or a name of two projects imports nothing and is logged with the cause', async () => {
  await addProject(root, 'Twice');
  await addProject(root, 'Twice');
  const log = await importWith({ Nowhere: folder, Twice: folder });
  expect(log.map(({ project: name, cause }) => [name, cause])).toEqual([
    ['Nowhere', 'no live project is called that'],
    ['Twice', 'several projects are called that'],
  ]);
});

test('an invalid folder setting stops the start with an error that names it', async () => {
  const missing = path.join(folder, 'missing');
  await expect(svc.replica({ 'Svc:Documents': { Shop: missing } })).rejects.toThrow(missing);
  await expect(svc.replica({ 'Svc:Documents': { Shop: 7 } })).rejects.toThrow('Svc:Documents');
});

test('a document of another project, an unknown document and an unknown project get 404', async () => {
  await importWith({ Shop: folder });
  const [document] = await listed();
  const other = await addProject(root, 'Other');
  for (const place of [
    `${other}/imported-documents/${document?.id}`,
    `${project}/imported-documents/999999`,
    '999999/imported-documents',
  ])
    expect((await root.get(`/svc/api/projects/${place}`)).status).toBe(404);
});
