import { type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import type { Call } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: QueryFixture;
let call: Call;

beforeAll(async () => {
  fixture = await startQueryFixture();
  call = fixture.app.call;
});
afterAll(() => fixture.close());

const missingId = 2_000_000_000;
let count = 0;
const fresh = (name = 'Folder') => `${name} ${count++}`;
const folders = '/svc/api/query-folders';

const post = (body: Record<string, unknown>, as = 'editor') =>
  call(as, `POST ${folders}`, { body: { projectId: fixture.restricted, name: fresh(), ...body } });
const createFolder = async (body: Record<string, unknown> = {}): Promise<number> => {
  const answer = await post(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
};
const patch = (id: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  call('editor', `PATCH ${folders}/${id}`, { body, headers });
const get = async (id: number) => (await call('viewer', `GET ${folders}/${id}`)).body;
/** Creates nested folders and returns their ids, the topmost first. */
const chain = async (length: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let at = 0; at < length; at++) ids.push(await createFolder(at === 0 ? {} : { parentId: ids[at - 1] }));
  return ids;
};
const addQuery = async (change: Record<string, unknown> = {}) => {
  const answer = await call('editor', 'POST /svc/api/queries', {
    body: {
      projectId: fixture.restricted,
      name: fresh('Query'),
      steps: [{ dataSourceId: fixture.sources.shop, sql: 'select 1 as one' }],
      ...change,
    },
  });
  return answer;
};
const put = (queryId: number, folderId: number | null, as = 'editor') =>
  call(as, `PUT /svc/api/queries/${queryId}/folder`, { body: { folderId } });
const codeOf = ({ status, body }: Awaited<ReturnType<Call>>) => [status, body.code, body.errors?.[0]?.path];

describe('200', () => {
  test('the list is sorted as a tree: the contents of a folder follow it before its siblings', async () => {
    const top = fresh('Tree');
    const id = await createFolder({ name: top });
    await createFolder({ name: `${top} b` });
    await createFolder({ name: 'b', parentId: id });
    await createFolder({ name: 'A', parentId: id });
    const { body } = await call('viewer', `GET ${folders}?projectId=${fixture.restricted}&pageSize=200`);
    const paths = body.items.map(({ path }: { path: string }) => path);
    expect(paths.filter((path: string) => path.startsWith(top))).toEqual([
      top,
      `${top}/A`,
      `${top}/b`,
      `${top} b`,
    ]);
  });

  test('a folder has its path, its depth and the number of queries in it and below it', async () => {
    const name = fresh('Counted');
    const top = await createFolder({ name: `  ${name} ` });
    const below = await createFolder({ name: 'Below', parentId: top });
    await addQuery({ folderId: below });
    await addQuery({ folderId: top });
    expect(await get(top)).toMatchObject({ name, path: name, depth: 1, parentId: null, queryCount: 2 });
    expect(await get(below)).toMatchObject({ path: `${name}/Below`, depth: 2, parentId: top, queryCount: 1 });
  });

  test('the list of queries can be restricted to a folder and its subfolders', async () => {
    const [top = 0, below = 0] = await chain(2);
    const { body: inTop } = await addQuery({ folderId: top });
    const { body: inBelow } = await addQuery({ folderId: below });
    await addQuery();
    const idsIn = async (folderId: number) => {
      const { body } = await call('viewer', `GET /svc/api/queries?folderId=${folderId}`);
      return body.items.map(({ id }: { id: number }) => id);
    };
    expect((await idsIn(top)).sort()).toEqual([inTop.id, inBelow.id].sort());
    expect(await idsIn(below)).toEqual([inBelow.id]);
    const { path } = await get(below);
    expect(inBelow).toMatchObject({ folderId: below, folderPath: path });
  });

  test('moving a query adds an entry to its history and no version, and a move to the same folder adds no entry', async () => {
    const id = await createFolder();
    const { body: query } = await addQuery();
    const moved = await put(query.id, id);
    expect(moved.body).toMatchObject({ folderId: id, versionNumber: 1, version: query.version + 1 });
    expect((await put(query.id, id)).body.version).toBe(moved.body.version);
    const { body } = await call('viewer', `GET /svc/api/queries/${query.id}/change-history`);
    expect(body.items.map(({ kind }: { kind: string }) => kind)).toEqual(['Moved', 'Version']);
    expect((await put(query.id, null)).body).toMatchObject({ folderId: null, folderPath: null });
  });

  test('a locked query can be moved, because locks stop only AI actors', async () => {
    const id = await createFolder();
    const { body: query } = await addQuery();
    await call('editor', `POST /svc/api/queries/${query.id}/lock`, { body: { isLocked: true } });
    expect((await put(query.id, id)).body).toMatchObject({ folderId: id, isLocked: true });
  });

  test('a folder moves with all its contents', async () => {
    const [top = 0, below = 0] = await chain(2);
    const other = await createFolder();
    expect((await patch(top, { parentId: other })).body).toMatchObject({ parentId: other, depth: 2 });
    expect(await get(below)).toMatchObject({ parentId: top, depth: 3 });
    expect((await patch(top, { parentId: null })).body).toMatchObject({ depth: 1, version: 3 });
    expect((await patch(top, { parentId: null })).body).toMatchObject({ version: 3 });
  });
});

describe('204', () => {
  test('the contents of a deleted folder move to its parent, even if a subfolder has the same name', async () => {
    const name = fresh('Same');
    const top = await createFolder();
    const middle = await createFolder({ name, parentId: top });
    const below = await createFolder({ name, parentId: middle });
    const { body: query } = await addQuery({ folderId: middle });
    const gone = await call('editor', `DELETE ${folders}/${middle}?moveContents=true`);
    expect(gone.status).toBe(204);
    expect(await get(below)).toMatchObject({ parentId: top, name });
    expect((await call('viewer', `GET /svc/api/queries/${query.id}`)).body.folderId).toBe(top);
    expect((await call('viewer', `GET ${folders}/${middle}`)).status).toBe(404);
  });

  test('an empty folder is deleted without confirmation', async () => {
    expect((await call('editor', `DELETE ${folders}/${await createFolder()}`)).status).toBe(204);
  });
});

describe('400', () => {
  test('a folder cannot be moved into itself or below itself', async () => {
    const [top = 0, middle = 0, below = 0] = await chain(3);
    for (const parentId of [top, middle, below])
      expect(codeOf(await patch(top, { parentId }))).toEqual([400, 'folder-below-itself', '/parentId']);
  });

  test('of two simultaneous moves that would form a cycle, one is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await createFolder(), await createFolder()];
      const answers = await Promise.all([patch(one, { parentId: other }), patch(other, { parentId: one })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('a ninth level of folders is refused, for new and for moved folders', async () => {
    const deep = await chain(8);
    const [, , sixth = 0] = deep.slice(3);
    expect(codeOf(await post({ parentId: deep[7] }))).toEqual([400, 'folders-too-deep', '/parentId']);
    const [three = 0] = await chain(3);
    expect(codeOf(await patch(three, { parentId: sixth }))).toEqual([400, 'folders-too-deep', '/parentId']);
    expect((await patch(three, { parentId: deep[4] ?? 0 })).body).toMatchObject({ depth: 6 });
  });

  test('folders of other projects get the same response as missing folders', async () => {
    const elsewhere = (await post({ projectId: fixture.open })).body.id;
    const ownFolder = await createFolder();
    const { body: query } = await addQuery();
    for (const id of [elsewhere, missingId]) {
      const code = 'folder-not-in-project';
      expect(codeOf(await post({ parentId: id }))).toEqual([400, code, '/parentId']);
      expect(codeOf(await patch(ownFolder, { parentId: id }))).toEqual([400, code, '/parentId']);
      expect(codeOf(await put(query.id, id))).toEqual([400, code, '/folderId']);
      expect(codeOf(await addQuery({ folderId: id }))).toEqual([400, code, '/folderId']);
    }
  });

  test.each(['', '  ', 'a/b', 'x'.repeat(201)])('refuses the folder name %j', async (name) => {
    expect((await post({ name })).status).toBe(400);
  });
});

describe('403', () => {
  test('readers and Read keys can change nothing', async () => {
    const id = await createFolder();
    const { body: query } = await addQuery();
    for (const as of ['viewer', 'readKey']) {
      expect((await call(as, `GET ${folders}/${id}`)).status).toBe(200);
      expect((await post({}, as)).status).toBe(403);
      expect((await call(as, `PATCH ${folders}/${id}`, { body: { name: 'x' } })).status).toBe(403);
      expect((await call(as, `DELETE ${folders}/${id}`)).status).toBe(403);
      expect((await put(query.id, id, as)).status).toBe(403);
    }
    expect((await put(query.id, id, 'executeKey')).status).toBe(200);
  });
});

describe('404', () => {
  test('a folder of an unreadable project does not exist, and is in no list', async () => {
    const id = await createFolder();
    const { body: query } = await addQuery({ folderId: id });
    expect((await call('stranger', `GET ${folders}/${id}`)).status).toBe(404);
    expect((await post({}, 'stranger')).status).toBe(404);
    expect((await call('stranger', `PATCH ${folders}/${id}`, { body: { name: 'x' } })).status).toBe(404);
    expect((await call('stranger', `DELETE ${folders}/${id}`)).status).toBe(404);
    expect((await put(query.id, null, 'stranger')).status).toBe(404);
    const { body } = await call('stranger', `GET ${folders}?pageSize=200`);
    expect(body.items.map((row: { projectId: number }) => row.projectId)).not.toContain(fixture.restricted);
    expect((await call('stranger', `GET /svc/api/queries?folderId=${id}`)).body.totalCount).toBe(0);
  });
});

describe('409', () => {
  test('names of siblings must differ in more than case, even if both are created at the same time', async () => {
    const parentId = await createFolder();
    const answers = await Promise.all([
      post({ name: 'Älter', parentId }),
      post({ name: 'äLTER ', parentId }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const other = await createFolder({ parentId });
    expect(codeOf(await patch(other, { name: 'ÄLTER' }))).toEqual([409, 'folder-exists', '/name']);
    expect((await post({ name: 'Älter' })).status).toBe(201);
  });

  test('a folder that contains a query or a folder is not deleted without confirmation', async () => {
    const [top = 0, below = 0] = await chain(2);
    await addQuery({ folderId: below });
    for (const id of [top, below])
      expect(codeOf(await call('editor', `DELETE ${folders}/${id}`))[1]).toBe('folder-not-empty');
  });

  test('the contents of a folder do not move to a parent with a folder of the same name', async () => {
    const [top = 0, middle = 0] = await chain(2);
    await createFolder({ name: 'Twin', parentId: top });
    await createFolder({ name: 'twin', parentId: middle });
    const answer = await call('editor', `DELETE ${folders}/${middle}?moveContents=true`);
    expect(codeOf(answer)[1]).toBe('folder-exists');
    expect((await get(middle)).depth).toBe(2);
  });
});

test('a folder that another request changed can be neither changed nor deleted with the old tag: 412', async () => {
  const id = await createFolder();
  const stale = { 'if-match': '"1"' };
  expect((await patch(id, { name: fresh() }, stale)).status).toBe(200);
  expect((await patch(id, { name: fresh() }, stale)).status).toBe(412);
  expect((await call('editor', `DELETE ${folders}/${id}`, { headers: stale })).status).toBe(412);
});

test('a folder is deleted without losing its queries while other requests move queries into it', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await createFolder();
    const { body: query } = await addQuery({ folderId: id });
    const answers = await Promise.all([
      call('editor', `DELETE ${folders}/${id}?moveContents=true`),
      addQuery({ folderId: id }),
      put(query.id, id),
      put(query.id, null),
    ]);
    expect(answers[0]?.status).toBe(204);
    for (const { status } of answers) expect([200, 201, 204, 400]).toContain(status);
    expect((await call('viewer', `GET /svc/api/queries/${query.id}`)).body.folderId).toBeNull();
  }
});

describe('moving many queries', () => {
  const move = (queryIds: readonly number[], folderId: number | null, as = 'editor') =>
    call(as, `POST ${folders}/move-queries`, { body: { queryIds, folderId } });
  const idOf = async () => (await addQuery()).body.id as number;
  const folderOf = async (id: number) =>
    (await call('viewer', `GET /svc/api/queries/${id}`)).body.folderId as number | null;

  test('moves each query in one request with a history entry, and does not change queries already in the folder', async () => {
    const folder = await createFolder();
    const ids = [await idOf(), await idOf(), await idOf()];
    const [first = 0, ...others] = ids;
    await put(first, folder);
    expect((await move([...ids, first], folder)).body).toEqual({ movedCount: 2 });
    for (const id of ids) {
      expect(await folderOf(id)).toBe(folder);
      const { body } = await call('viewer', `GET /svc/api/queries/${id}/change-history`);
      const kinds = body.items.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toEqual(['Moved', 'Version']);
    }
    expect((await move(others, null)).body).toEqual({ movedCount: 2 });
    expect(await folderOf(others[0] ?? 0)).toBeNull();
  });

  test('refuses queries of several projects, or a folder of another project, with 400, and moves nothing', async () => {
    const folder = await createFolder();
    const queryId = await idOf();
    const elsewhere = (await addQuery({ projectId: fixture.open, steps: [] })).body.id as number;
    expect(codeOf(await move([queryId, elsewhere], folder))).toEqual([
      400,
      'queries-of-several-projects',
      '/queryIds',
    ]);
    const foreign = await createFolder({ projectId: fixture.open });
    expect(codeOf(await move([queryId], foreign))).toEqual([400, 'folder-not-in-project', '/folderId']);
    expect((await move([], folder)).status).toBe(400);
    expect(await folderOf(queryId)).toBeNull();
  });

  test('refuses a Viewer with 403 and a stranger with 404, and moves nothing if one query does not exist', async () => {
    const folder = await createFolder();
    const queryId = await idOf();
    expect((await move([queryId], folder, 'viewer')).status).toBe(403);
    expect((await move([queryId], folder, 'stranger')).status).toBe(404);
    expect((await move([queryId, missingId], folder)).status).toBe(404);
    expect(await folderOf(queryId)).toBeNull();
  });

  test('two simultaneous moves of the same queries put all of them into one of the two folders', async () => {
    const targets = [await createFolder(), await createFolder()];
    const ids = await Promise.all(Array.from({ length: 8 }, idOf));
    const answers = await Promise.all(
      targets.map((target, at) => move(at === 0 ? ids : [...ids].reverse(), target)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const ends = new Set(await Promise.all(ids.map(folderOf)));
    expect(ends.size).toBe(1);
    expect(targets).toContain([...ends][0]);
  });
});
