import { type GitServer, hasGit, startGitServer } from '@svc/testkit/outside/git-server.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let git: GitServer;
let path: string;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Repositories:TrustedHosts': ['127.0.0.1'] } });
  path = `/svc/api/projects/${fixture.projectId}/repositories`;
  const { status } = await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  expect(status).toBe(200);
  if (hasGit)
    git = await startGitServer({
      'src/report.py': 'rows = db.query("select id, email from orders")\n',
      'src/model.py': '\n\nclass Order:\n    __tablename__ = "orders"\n',
      'migrations/001.sql': 'create table orders (id int);\n',
      'deploy.sh': 'psql postgres://svc:hunter2@db/shop -c "delete from orders"\n',
      'passwd.sql': '-> /etc/passwd',
      'out.sql': '-> ../../secrets.sql',
      'logo.png': 'orders',
      'README.md': 'The orders.',
    });
});
afterAll(async () => {
  await git?.close();
  await fixture.close();
});
afterEach(() => {
  if (git) Object.assign(git, { token: undefined, misbehave: undefined });
});

/** Returns a complete git response with the given pack. */
const packet = (pack: string): string =>
  `0008NAK\n${(pack.length + 5).toString(16).padStart(4, '0')}\u0001${pack}0000`;

const one = (id: number) => `/svc/api/projects/repositories/${id}`;
async function add(more: Readonly<Record<string, unknown>> = {}) {
  const { status, body, text } = await fixture.root.post(path, { url: git.url, ...more });
  expect(status, text).toBe(201);
  return body;
}
async function scan(id: number) {
  const { status, body, text } = await fixture.root.post(`${one(id)}/scan`);
  expect([status, typeof body.jobId], text).toEqual([202, 'string']);
  return until('the end of the scan', async () => {
    const { body: listed } = await fixture.root.get(path);
    const repository = listed.items.find((row: { id: number }) => row.id === id);
    return ['Completed', 'Failed'].includes(repository.scanStatus) ? repository : undefined;
  });
}
async function remove(id: number) {
  expect((await fixture.root.delete(one(id))).status).toBe(204);
}

// Skipped without git, because no server is available to read from.
describe.skipIf(!hasGit)('a scan', () => {
  test('a scan reads the newest commit for lines that name tables, and follows no link', async () => {
    const added = await add();
    expect(added).toMatchObject({ name: 'shop', branch: 'main', hasToken: false, scanStatus: 'NotScanned' });
    const scanned = await scan(added.id);
    expect(scanned).toMatchObject({ scanStatus: 'Completed', scanFailure: null, fileCount: 4, isCut: false });
    const references = `/svc/api/projects/${fixture.projectId}/code-references`;
    const { body } = await fixture.root.get(references);
    expect(body.items).toMatchObject([
      { path: 'deploy.sh', line: 1, table: 'orders', kind: 'RawSql', snippet: null },
      { path: 'migrations/001.sql', line: 1, kind: 'Migration' },
      { path: 'src/model.py', line: 4, kind: 'Model', snippet: '__tablename__ = "orders"' },
      { path: 'src/report.py', line: 1, kind: 'RawSql', repositoryName: 'shop' },
    ]);
    expect((await fixture.root.get(`${references}?kind=Model&table=ORDERS`)).body.totalCount).toBe(1);
    expect((await fixture.root.get(`${references}?search=report`)).body.totalCount).toBe(1);
    const dump = await fixture.svc.database.query(
      'select json_agg(c)::text as text from svc.code_references c',
    );
    expect(dump.rows[0].text).not.toContain('hunter2');

    const commitId = await git.commit({ 'src/report.py': 'pass\n' });
    expect(await scan(added.id)).toMatchObject({ commitId, referenceCount: 3 });
    expect((await fixture.root.get(`${references}?search=report`)).body.totalCount).toBe(0);
    await remove(added.id);
    expect((await fixture.root.get(references)).body.totalCount).toBe(0);
  });

  test('a scan signs in with the token, which is never shown again and never sent to another host', async () => {
    const { id } = await add();
    git.token = 'glpat-of-the-trial';
    expect(await scan(id)).toMatchObject({ scanStatus: 'Failed', scanFailure: 'TokenRefused' });
    expect((await fixture.root.put(`${one(id)}/token`, { token: git.token })).status).toBe(204);
    const scanned = await scan(id);
    expect(scanned).toMatchObject({ scanStatus: 'Completed', hasToken: true });
    expect(JSON.stringify(scanned)).not.toContain(git.token);
    const { rows } = await fixture.svc.database.query('select r::text as text from svc.repositories r');
    expect(JSON.stringify(rows)).not.toContain(git.token);
    const audit = await fixture.svc.database.query(
      `select e::text as text from svc.audit_events e where event = 'projects.repository_token_set'`,
    );
    expect(audit.rows).toHaveLength(1);
    expect(audit.rows[0].text).not.toContain(git.token);

    const samePlace = await fixture.root.patch(one(id), { branch: 'other' });
    expect(samePlace.body).toMatchObject({ hasToken: true, scanStatus: 'NotScanned' });
    const other = await startGitServer({ 'a.sql': 'select 1 from orders' });
    const moved = await fixture.root.patch(one(id), { url: other.url, branch: 'main' });
    expect(moved.body).toMatchObject({ hasToken: false });
    expect(await scan(id)).toMatchObject({ scanStatus: 'Completed' });
    expect(other.authorizations.every((header) => header === undefined)).toBe(true);
    await other.close();
    await remove(id);
  });

  test('a scan reports the reason if the server responds in an unexpected way', async () => {
    const { id } = await add();
    let elsewhere = 0;
    const other = await startGitServer({ 'a.sql': 'select 1 from orders' });
    other.misbehave = () => {
      elsewhere += 1;
      return false;
    };
    const isPack = (request: { readonly method?: string | undefined }) => request.method === 'POST';
    const cases: [string, NonNullable<GitServer['misbehave']>][] = [
      ['NotFound', (_request, response) => !!response.writeHead(404).end()],
      ['Redirected', (_request, response) => !!response.writeHead(302, { location: other.url }).end()],
      ['NoGitServer', (_request, response) => !!response.end('<html>A page</html>')],
      ['NoGitServer', (_request, response) => !!response.writeHead(500).end()],
      ['NotReached', (_request, response) => !!response.socket?.destroy()],
      [
        'TooLarge',
        (request, response) => {
          if (!isPack(request)) return false;
          const part = Buffer.alloc(1 << 20, 7);
          const more = () => {
            while (response.write(part));
          };
          response.writeHead(200).on('drain', more);
          more();
          return true;
        },
      ],
      [
        'Unreadable',
        (request, response) => isPack(request) && !!response.end(packet('PACK and then garbage')),
      ],
    ];
    for (const [failure, misbehave] of cases) {
      git.misbehave = misbehave;
      expect([failure, await scan(id)]).toMatchObject([
        failure,
        { scanStatus: 'Failed', scanFailure: failure },
      ]);
    }
    expect(elsewhere).toBe(0);
    git.misbehave = undefined;
    expect(await scan(id)).toMatchObject({ scanStatus: 'Completed', scanFailure: null });
    await other.close();
    await remove(id);
  }, 120_000);

  test('a scan reports a missing branch and an unreachable server', async () => {
    const { id } = await add({ branch: 'nowhere' });
    expect(await scan(id)).toMatchObject({ scanStatus: 'Failed', scanFailure: 'BranchNotFound' });
    const gone = await startGitServer({ 'a.sql': 'x' });
    await fixture.root.patch(one(id), { url: gone.url });
    await gone.close();
    expect(await scan(id)).toMatchObject({ scanFailure: 'NotReached' });
    await remove(id);
  });
});

describe('400 and 409', () => {
  test.each([
    ['http://git.example.org/shop.git'],
    ['https://user:password@git.example.org/shop.git'],
    ['https://10.0.0.1/shop.git'],
    ['https://169.254.169.254/latest'],
    ['ssh://git@git.example.org/shop.git'],
    ['git@git.example.org:shop.git'],
    ['file:///etc'],
    ['https://git.example.org'],
    ['https://git.example.org/shop.git?service=x'],
  ])('refuses %s as the address of a repository', async (url) => {
    const { status, body } = await fixture.root.post(path, { url });
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'repository-url-not-allowed', '/url']);
  });

  test.each(['', '--upload-pack=x', 'a b', 'a..b:c', 'x\u0000'])('refuses %j as a branch', async (branch) => {
    const { status } = await fixture.root.post(path, { url: 'https://git.example.org/shop.git', branch });
    expect(status).toBe(400);
  });

  test('the same branch of the same repository cannot be added twice', async () => {
    const url = 'https://git.example.org/Shop.git';
    const first = await fixture.root.post(path, { url });
    expect(first.status, first.text).toBe(201);
    for (const again of [url, `${url}/`, url.toUpperCase().replace('HTTPS://GIT', 'https://git')]) {
      const { status, body } = await fixture.root.post(path, { url: again });
      expect([again, status, body.code]).toEqual([again, 409, 'repository-exists']);
    }
    const other = await fixture.root.post(path, { url, branch: 'dev' });
    expect(other.status).toBe(201);
    const { status, body } = await fixture.root.patch(one(other.body.id), { branch: 'main' });
    expect([status, body.code]).toEqual([409, 'repository-exists']);
    await remove(first.body.id);
    await remove(other.body.id);
  });
});

describe('403, 404 and 412', () => {
  test('a Viewer can change nothing, only a SecurityAdmin can set a token, and an outdated version changes nothing', async () => {
    const { body } = await fixture.root.post(path, { url: 'https://git.example.org/rights.git' });
    const viewer = await signIn(fixture.svc, await addUser(fixture.svc, 'reader', ['Viewer']));
    expect((await viewer.get(path)).body.items).toHaveLength(1);
    const editor = await signIn(fixture.svc, await addUser(fixture.svc, 'writer', ['Editor']));
    const refused = await Promise.all([
      viewer.post(path, { url: 'https://git.example.org/x.git' }),
      viewer.patch(one(body.id), { branch: 'x' }),
      viewer.delete(one(body.id)),
      viewer.post(`${one(body.id)}/scan`),
      editor.put(`${one(body.id)}/token`, { token: 'x' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const late = await fixture.root.patch(one(body.id), { branch: 'x' }, { headers: { 'if-match': '"99"' } });
    expect(late.status).toBe(412);
    await remove(body.id);
    expect((await fixture.root.patch(one(body.id), { branch: 'x' })).status).toBe(404);
  });
});
