import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { bearerSettings, issuer, bearerSection as jwt, tokenOf } from '@svc/testkit/people/access-token.ts';
import { addKey, addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { password } from '@svc/testkit/people/users.ts';
import { addDataSource, addQuery, startSource } from '@svc/testkit/runs/watch.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { oidc, startSigningOn } from '../support/hosts/single-sign-on.ts';
import { openMcp } from '../support/mcp.ts';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';
const me = async (client: HttpClient) =>
  (await client.get('/svc/api/auth/me')).read<{
    isAuthenticated: boolean;
    userName: string;
    roles: string[];
  }>();

/** Reads the principal from a header of the host. */
const principal = ({ headers }: { headers: Record<string, string | string[] | undefined> }) => {
  const id = headers['x-host-user'];
  return typeof id === 'string' ? { id, roles: ['Editor'] } : null;
};

/** Adds an external user for tokens. Returns the user's id. */
async function addTokenUser(root: HttpClient, roles: readonly string[] = ['Editor']): Promise<number> {
  const user = { issuer, subject: 'user-1', userName: 'token-user', roles };
  return (await root.post('/svc/api/users/external', user)).read<{ id: number }>().id;
}

scenario(
  ['ID-1-05', 'ID-5.4-22'],
  'password, single sign-on, host, key and token work together, and only single sign-on requires a second factor',
  async ({ start, onEnd }) => {
    const fixture = await startSigningOn(start, { ...bearerSettings, [oidc('RequireMfa')]: true });
    onEnd(fixture.close);
    const svc = await fixture.svc.replica({}, { principal });
    const { root } = fixture;
    await addTokenUser(root);
    const person = await addUser(svc, 'by-password', ['Editor']);
    const withPassword = await signIn(svc, person);
    const project = await addProject(withPassword, 'Side by side');
    const key = await addKey(withPassword, { scopes: ['Read'], projects: [project] });
    fixture.person({ amr: ['pwd'] });
    expect((await fixture.signOn()).isIn).toBe(false);
    const withFactor = fixture.person({ amr: ['mfa'] });
    const signedOn = await fixture.signOn();
    expect((await me(signedOn.browser)).userName).toBe(withFactor);
    expect((await me(withPassword)).userName).toBe('by-password');
    expect((await me(svc.client(`Bearer ${tokenOf({ amr: ['pwd'] })}`))).userName).toBe('token-user');
    expect((await svc.client(`Bearer ${key.text}`).get(projects)).status).toBe(200);
    const byHost = await svc.client().get('/svc/api/auth/me', { headers: { 'x-host-user': 'ada' } });
    expect(byHost.body).toMatchObject({ isAuthenticated: true, userName: 'ada' });
    // Break-glass sign-in with a password needs no second factor either.
    const closed = await fixture.svc.replica({
      'Svc:UserManagement:LocalLogin:Enabled': false,
      'Svc:UserManagement:LocalLogin:BreakGlassUserNames': ['by-password'],
    });
    expect((await me(await signIn(closed, person))).isAuthenticated).toBe(true);
  },
);

scenario(
  ['ID-5.6-05', 'ID-5.5-03'],
  'a key is checked after the authentication of the host and before access tokens',
  async ({ start }) => {
    const svc = await start(bearerSettings, { principal });
    const root = await setUp(svc);
    const project = await addProject(root, 'Of the key');
    const bad = svc.client('Bearer sk-sem_nothing');
    const asHost = { headers: { 'x-host-user': 'ada' } };
    expect((await bad.get('/svc/api/auth/me', asHost)).body).toMatchObject({ userName: 'ada' });
    expect((await bad.get(projects, asHost)).status).toBe(200);
    expect(svc.log.filter(({ msg }) => msg === 'an API key was refused')).toEqual([]);
    // The service ignores a valid key as well: its scope does not limit the request, and its use is not recorded.
    const [skipped, used] = [
      await addKey(root, { scopes: ['Read'], projects: [project] }),
      await addKey(root, { scopes: ['Read'], projects: [project] }),
    ];
    const beside = svc.client(`Bearer ${skipped.text}`);
    expect((await beside.post(projects, { name: 'By the host' }, asHost)).status).toBe(201);
    expect((await svc.client(`Bearer ${used.text}`).get(projects)).status).toBe(200);
    const lastUsed = async ({ id }: { id: number }) =>
      (
        await svc.sql<{ at: Date | null }>('select last_used_at as at from svc.api_keys where id = $1', [id])
      )[0]?.at;
    await expect.poll(() => lastUsed(used)).toEqual(expect.any(Date));
    expect(await lastUsed(skipped)).toBeNull();
    expect((await bad.get(projects)).body).toMatchObject({
      status: 401,
      code: 'invalid-api-key',
      detail: 'Invalid or expired API key.',
    });
    expect(svc.log.filter(({ msg }) => msg === 'an access token was refused')).toEqual([]);
    expect((await svc.client('Bearer x.y.z').get(projects)).body).toMatchObject({ code: 'invalid-token' });
  },
);

scenario(
  ['ID-5.5-10'],
  'user id, user name, email, roles and display name are read from their usual claims or from the mapped claims',
  async ({ start }) => {
    const svc = await start({
      ...bearerSettings,
      'Svc:Mcp:Callers': { Users: { Enabled: true, RequiredRoles: ['Analyst'], DefaultRoleName: 'Editor' } },
    });
    const root = await setUp(svc);
    const userNamed = async (userName: string) => {
      const { items } = (await root.get('/svc/api/users?pageSize=200')).body;
      return items.find((user: { userName: string }) => user.userName === userName);
    };
    const open = async (on: RunningService, claims: Record<string, unknown>) =>
      (await openMcp(on.client(`Bearer ${tokenOf(claims)}`))).status;
    const usual = {
      sub: 'ada',
      preferred_username: 'ada-l',
      email: 'ada@example.org',
      roles: ['Analyst'],
      name: 'Ada L.',
    };
    expect(await open(svc, { ...usual, roles: ['Guest'] })).toBe(403);
    expect(await open(svc, usual)).toBe(200);
    expect(await userNamed('ada-l')).toMatchObject({ displayName: 'Ada L.', email: 'ada@example.org' });

    const mapping = { userId: 'oid', userName: 'login', email: 'mail', roles: 'jobs', displayName: 'called' };
    const mapped = await svc.replica({
      [`${jwt}:ClaimsMapping`]: mapping,
    });
    const other = {
      oid: 'grace',
      login: 'grace-h',
      mail: 'grace@example.org',
      jobs: ['Analyst'],
      called: 'Grace H.',
    };
    expect(await open(mapped, usual)).toBe(401);
    expect(await open(mapped, { ...usual, ...other, jobs: ['Guest'] })).toBe(403);
    expect(await open(mapped, { ...usual, ...other })).toBe(200);
    expect(await userNamed('grace-h')).toMatchObject({ displayName: 'Grace H.', email: 'grace@example.org' });
    // REST identifies the user only by the claim that the mapping names as the user id.
    const ask = async (on: RunningService, claims: Record<string, unknown>) =>
      (await me(on.client(`Bearer ${tokenOf(claims)}`))).userName;
    expect(await ask(mapped, { ...usual, ...other })).toBe('grace-h');
    expect(await ask(svc, { ...usual, ...other })).toBe('ada-l');
  },
);

scenario(
  ['ID-5.5-11'],
  'the login form validates credentials at the token endpoint of the host',
  async ({ start, onEnd }) => {
    const endpoint = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const isRight = new URLSearchParams(body).get('password') === 'the-host-knows-it';
      response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isRight ? { access_token: tokenOf() } : { error: 'invalid_grant' }));
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    onEnd(async () => void endpoint.close());
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/token`;
    const svc = await start({ ...bearerSettings, [`${jwt}:ExternalLoginEndpoint`]: url });
    await addTokenUser(await setUp(svc));
    const login = async (pass: string, client = svc.client()) =>
      (await client.post('/svc/api/auth/login', { username: 'ada', password: pass })).status;
    const browser = svc.client();
    expect(await login('the-host-knows-it', browser)).toBe(200);
    expect(await me(browser)).toMatchObject({ userName: 'token-user', roles: ['Editor'] });
    expect(await login(password)).toBe(401);
  },
);

scenario(
  ['ID-5.6-26'],
  'each way of signing in reactivates the keys of an inactive owner: password, single sign-on, or a token on REST or MCP',
  async ({ start, onEnd }) => {
    const fixture = await startSigningOn(start, {
      ...bearerSettings,
      'Svc:Mcp:Callers': { Users: { Enabled: true, RequiredRoles: ['Analyst'], DefaultRoleName: 'Editor' } },
      'Svc:ApiKeys:MaxOwnerInactivityDays': 30,
    });
    onEnd(fixture.close);
    const { svc, root } = fixture;
    const project = await addProject(root, 'Away');
    await addTokenUser(root);
    const onMcp = { sub: 'user-2', preferred_username: 'by-mcp', roles: ['Analyst'] };
    const made = { issuer, subject: onMcp.sub, userName: 'by-mcp', roles: ['Editor'] };
    expect((await root.post('/svc/api/users/external', made)).status).toBe(201);
    const person = await addUser(svc, 'by-password', ['Viewer']);
    const signedOnName = fixture.person();
    await fixture.signOn();
    const ways: [string, () => Promise<unknown>][] = [
      [person.userName, () => signIn(svc, person)],
      [signedOnName, () => fixture.signOn()],
      ['token-user', () => svc.client(`Bearer ${tokenOf()}`).get('/svc/api/auth/me')],
      ['by-mcp', () => openMcp(svc.client(`Bearer ${tokenOf(onMcp)}`))],
    ];
    const key = await addKey(root, { scopes: ['Read'], projects: [project] });
    const works = async () => (await svc.client(`Bearer ${key.text}`).get('/svc/api/auth/me')).status === 200;
    for (const [userName, wake] of ways) {
      await svc.sql(
        `update svc.users set last_signed_in_at = null, created_time = now() - interval '31 days' where user_name = $1`,
        [userName],
      );
      await svc.sql(
        'update svc.api_keys set owner_user_id = (select id from svc.users where user_name = $2) where id = $1',
        [key.id, userName],
      );
      expect([userName, await works()]).toEqual([userName, false]);
      await wake();
      await expect.poll(works).toBe(true);
    }
  },
);

scenario(['ID-5.7-15'], 'the rights of a session depend on roles alone', async ({ start, onEnd }) => {
  const fixture = await startSigningOn(start, { [oidc('DefaultRoleName')]: 'Editor' });
  onEnd(fixture.close);
  fixture.person({ scope: 'Read', scp: 'Read' });
  const { browser } = await fixture.signOn();
  const bySession = await signIn(fixture.svc, await addUser(fixture.svc, 'an-editor', ['Editor']));
  for (const client of [browser, bySession]) {
    expect((await client.post(projects, { name: 'By a role', description: '' })).status).toBe(201);
    const may = (await client.get('/svc/api/auth/permissions')).body;
    expect(may).toMatchObject({ canRead: true, canWrite: true });
    expect(may).not.toHaveProperty('scopes');
  }
});

scenario(['ID-5.7-06'], 'the scopes of keys apply even if user management is off', async ({ svc, root }) => {
  const project = await addProject(root, 'Scoped');
  const read = await addKey(root, { scopes: ['Read'], projects: [project] });
  const execute = await addKey(root, { scopes: ['Execute'], projects: [project] });
  const off = await svc.replica({ 'Svc:UserManagement:Enabled': false });
  for (const service of [svc, off]) {
    const may = async ({ text }: { text: string }) => {
      const client = service.client(`Bearer ${text}`);
      const change = { description: 'Changed by a key' };
      const path = `${projects}/${project}`;
      return [(await client.get(path)).status, (await client.patch(path, change)).status];
    };
    expect(await may(read)).toEqual([200, 403]);
    expect(await may(execute)).toEqual([200, 200]);
  }
});

scenario(['ID-1-02'], 'queries of a project run against a data source', async ({ svc, root, onEnd }) => {
  const source = await startSource();
  onEnd(source.close);
  const project = await addProject(root, 'Holds queries');
  const dataSource = await addDataSource(root, project, source.connection);
  const query = await addQuery(root, project, dataSource, 'select 41 + 1 as answer');
  const listed = (await root.get(`/svc/api/queries?projectId=${project}`)).read<{
    items: { id: number }[];
  }>();
  expect(listed.items.map(({ id }) => id)).toEqual([query]);
  const shown = await root.post(`/svc/api/queries/${query}/preview`, {});
  expect(shown.text).toContain('42');
  expect((await svc.client().get(`/svc/api/queries/${query}`)).status).toBe(401);
});
