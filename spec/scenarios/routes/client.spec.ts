import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { createSvcClient, type SvcClientOptions, SvcConnectionError, SvcProblem } from '@svc/client';
import * as contract from '@svc/contract';
import { make } from '@svc/testkit/client/make.ts';
import { bearerSettings, issuer, tokenOf } from '@svc/testkit/people/access-token.ts';
import { addKey, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { expect, onTestFinished } from 'vitest';
import { scenario } from '../support/scenario.ts';

type Media = Record<string, { schema?: { $ref?: string; anyOf?: { $ref?: string }[] } }>;
type Operation = {
  operationId: string;
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
};
type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

const json = 'application/json';

/** Returns the problem with which a call was rejected. */
const refusalOf = async (call: Promise<unknown>): Promise<SvcProblem> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SvcProblem)) throw new Error(`Not refused: ${error}`);
  return error;
};

scenario(
  ['RT-2-970', 'RT-2-971'],
  'every schema has a name, and the client has a method for every operation',
  async ({ root, svc }) => {
    const document = (await root.get('/openapi/v1.json')).read<OpenApi>();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(300);
    const unnamed = operations.flatMap(({ operationId, requestBody, responses }) =>
      [
        requestBody?.content,
        ...Object.entries(responses).map(([status, { content }]) =>
          Number(status) < 300 ? content : undefined,
        ),
      ].flatMap((content) => {
        const schema = content?.[json]?.schema;
        return schema && !(schema.$ref ?? schema.anyOf?.[0]?.$ref) ? [operationId] : [];
      }),
    );
    expect(unnamed).toEqual([]);
    const text = JSON.stringify(document);
    expect(text).not.toContain('"$id"');
    const meant = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(meant.filter((name) => !(name && name in document.components.schemas))).toEqual([]);
    expect(new Set(meant)).toEqual(new Set(Object.keys(document.components.schemas)));

    // The document of this service omits operations that settings disable. The client has methods for them.
    const declared = Object.values<unknown>(contract).flatMap((one) =>
      typeof one === 'object' && one !== null && 'operationId' in one ? [one.operationId] : [],
    );
    const { call: _call, listAll: _listAll, send: _send, ...methods } = createSvcClient({ url: svc.origin });
    expect(Object.keys(methods).toSorted()).toEqual(declared.toSorted());
    expect(declared).toEqual(expect.arrayContaining(operations.map(({ operationId }) => operationId)));
  },
);

scenario(
  ['RT-2-972'],
  'the client throws each kind of refusal with its status and code',
  async ({ svc, root }) => {
    const projectId = await addProject(root, 'Refusals');
    const [reader, writer] = [
      await addKey(root, { scopes: ['Read'], projects: [projectId] }),
      await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] }),
    ];
    const client = (key?: SvcClientOptions['key']) =>
      createSvcClient({ url: svc.origin, key, retriesMax: 1, retryDelayMaxMs: 10 });
    const [nobody, stranger, read, write] = [
      client(),
      client('sk-sem_nonsense'),
      client(reader.text),
      client(async () => writer.text),
    ];
    expect(await write.getProject({ id: projectId })).toMatchObject({ id: projectId, name: 'Refusals' });
    const statusAndCode = async (call: Promise<unknown>) => {
      const { status, code } = await refusalOf(call);
      return [status, code];
    };
    expect(await statusAndCode(nobody.listProjects())).toEqual([401, 'unauthorized']);
    expect(await statusAndCode(stranger.listProjects())).toEqual([401, 'invalid-api-key']);
    const body = { name: 'Other', description: null };
    expect(await statusAndCode(read.createProject({ body }))).toEqual([403, 'execute-scope-required']);
    expect(await statusAndCode(write.getProject({ id: 999_999 }))).toEqual([404, 'not-found']);
    expect(await statusAndCode(write.updateProject({ id: projectId, body }, { ifMatch: 99 }))).toEqual([
      412,
      'changed-meanwhile',
    ]);
    const { data, headers } = await write.call('getProject', { id: projectId });
    const ifMatch = headers.get('etag') ?? '';
    expect(
      await write.updateProject({ id: projectId, body: { name: 'Renamed' } }, { ifMatch }),
    ).toMatchObject({
      version: data.version + 1,
    });
    const invalid = await refusalOf(write.createQueryFolder({ body: { projectId, name: '' } }));
    expect([invalid.status, invalid.errorsByField]).toEqual([400, { '/name': [expect.any(String)] }]);
    expect(invalid.traceId).toMatch(/\w/);
  },
);

scenario(
  ['RT-2-972'],
  'the client reports conflicts, reused keys and limits with their codes and waiting time, to a caller with a token',
  async ({ deliver }) => {
    const { svc, root, dataSourceId } = await deliver({ ...bearerSettings });
    const owner = { issuer, subject: 'user-1', userName: 'token-user', roles: ['Admin', 'UserAdmin'] };
    await make(root, '/svc/api/users/external', owner);
    const client = createSvcClient({ url: svc.origin, key: tokenOf(), retryDelayMaxMs: 10 });
    const user = { userName: 'anna', password: superAdmin.password, roles: ['Viewer' as const] };
    const key = { idempotencyKey: randomUUID() };
    const first = await client.createInternalUser({ body: user }, key);
    expect(await client.createInternalUser({ body: user }, key)).toEqual(first);
    const conflict = await refusalOf(client.createInternalUser({ body: user }));
    expect(conflict.status).toBe(409);
    const reused = await refusalOf(client.createInternalUser({ body: { ...user, userName: 'bea' } }, key));
    expect([reused.status, reused.code]).toEqual([422, 'idempotency-key-reused']);
    await client.refreshDataSourceMetadata({ id: dataSourceId });
    const limited = await refusalOf(client.refreshDataSourceMetadata({ id: dataSourceId }));
    expect([limited.status, limited.retryAfterSeconds]).toEqual([429, expect.any(Number)]);
    expect(limited.retryAfterSeconds).toBeGreaterThan(0);
  },
);

scenario(
  ['RT-2-973'],
  'the client reads a list page by page, and no further than its caller requests',
  async ({ svc, root }) => {
    const projectId = await addProject(root, 'Many folders');
    const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    let requests = 0;
    const client = createSvcClient({
      url: svc.origin,
      key,
      fetch: (...given) => {
        requests += 1;
        return fetch(...given);
      },
    });
    const names = Array.from({ length: 7 }, (_, index) => `Folder ${index}`);
    for (const name of names) await client.createQueryFolder({ body: { projectId, name } });

    requests = 0;
    const read: string[] = [];
    const asked = { projectId, pageSize: 3, sort: 'name' };
    for await (const { name } of client.listAll('listQueryFolders', asked)) read.push(name);
    expect(read).toEqual(names);
    expect(requests).toBe(3);

    requests = 0;
    for await (const { name } of client.listAll('listQueryFolders', asked)) if (name === 'Folder 1') break;
    expect(requests).toBe(1);

    const stop = new AbortController();
    const reason = new Error('Enough');
    const stopped = (async () => {
      for await (const { name } of client.listAll('listQueryFolders', asked, { signal: stop.signal }))
        if (name === 'Folder 2') stop.abort(reason);
    })();
    await expect(stopped).rejects.toBe(reason);
  },
);

/** Starts a proxy that loses responses: the service completes the work, then the proxy closes the connection. */
async function loseAnswers(origin: string) {
  const { hostname, port } = new URL(origin);
  let toLose = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [near, far].map((one) => one.destroy()));
    }
    near.pipe(far);
    far.on('data', (part) => {
      if (toLose === 0) near.write(part);
      else {
        toLose -= 1;
        near.destroy();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    lose: (count: number) => {
      toLose = count;
    },
    lost: () => toLose === 0,
  };
}

scenario(
  ['RT-2-974'],
  'over a broken connection the client completes reads and keyed changes once, and reports other changes as failed',
  async ({ svc, root }) => {
    const projectId = await addProject(root, 'Broken connections');
    const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    const way = await loseAnswers(svc.origin);
    let requests = 0;
    const client = createSvcClient({
      url: way.url,
      key,
      fetch: (...given) => {
        requests += 1;
        return fetch(...given);
      },
    });

    way.lose(2);
    expect(await client.getProject({ id: projectId })).toMatchObject({ name: 'Broken connections' });
    expect(way.lost()).toBe(true);

    way.lose(2);
    const made = await client.createQueryFolder({ body: { projectId, name: 'Once' } });
    expect(way.lost()).toBe(true);
    const { items } = await client.listQueryFolders({ projectId });
    expect(items.map(({ id, name }) => [id, name])).toEqual([[made.id, 'Once']]);

    const { version } = await client.getProject({ id: projectId });
    way.lose(1);
    const change = client.updateProject({ id: projectId, body: { name: 'Renamed' } });
    await expect(change).rejects.toThrow(SvcConnectionError);
    expect(await client.getProject({ id: projectId })).toMatchObject({
      name: 'Renamed',
      version: version + 1,
    });
    const others = [
      () => client.setQueryFolder({ id: 999_999, body: { folderId: made.id } }),
      () => client.refreshDataSourceMetadata({ id: 999_999 }),
      () => client.deleteQueryFolder({ id: made.id }),
    ];
    for (const other of others) {
      requests = 0;
      way.lose(1);
      await expect(other()).rejects.toThrow(SvcConnectionError);
      expect([requests, way.lost()]).toEqual([1, true]);
    }
    expect((await client.listQueryFolders({ projectId })).items).toEqual([]);

    way.lose(9);
    await expect(client.getProject({ id: projectId })).rejects.toThrow('cannot be reached');
    const late = client.getProject({ id: projectId }, { timeoutMs: 300 });
    await expect(late).rejects.toMatchObject({ name: 'SvcConnectionError', isTimeout: true });
    const signal = AbortSignal.abort(new Error('Not wanted'));
    await expect(client.getProject({ id: projectId }, { signal })).rejects.toThrow('Not wanted');
  },
);

scenario(['RT-2-972', 'RT-2-973'], 'the program of the guide runs as described', async ({ deliver }) => {
  const { svc, root, projectId, addQuery } = await deliver();
  for (const name of ['Late orders', 'Large orders']) await addQuery('select 1 as one', name);
  const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
  const folder = path.resolve(import.meta.dirname, '../../..');
  const guide = readFileSync(path.join(folder, 'docs/guides/rest-api.md'), 'utf8');
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];
  const here = program.replace('https://data.example.org', svc.origin).replace('id: 7,', `id: ${projectId},`);
  const child = spawn(
    process.execPath,
    ['--conditions=svc-source', '--input-type=module-typescript', '--eval', here],
    { cwd: folder, env: { PATH: process.env['PATH'], SVC_KEY: key } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString();
    });
  const [code] = await once(child, 'close');
  const lines = said.trim().split('\n');
  expect([code, lines.toSorted()]).toEqual([
    0,
    ['Large orders', 'Late orders', 'Somebody else has changed it.'],
  ]);
});
