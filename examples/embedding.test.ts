import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPacked, type PackedInstallation } from '../tools/test/packed.ts';

const startMaxMs = 60_000;

/** Returns the connection as a URL, for a socket folder as well as for a host. */
function urlOf({ connection }: TestDatabase): string {
  const { host = '', port, user = '', password, database } = connection;
  const url = new URL('postgres://localhost');
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(String(password ?? ''));
  url.pathname = `/${database}`;
  url.searchParams.set('host', host);
  url.searchParams.set('port', String(port));
  return url.href;
}

/** Waits for the example's line with its origin. */
function originOf(host: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (part: Buffer) => {
      said += part.toString();
      const [, origin] = /^Listening on (http\S+)$/m.exec(said) ?? [];
      if (origin !== undefined) resolve(origin);
    };
    host.stdout?.on('data', read);
    host.stderr?.on('data', read);
    host.once('exit', (code) => reject(new Error(`The example ended with ${code}:\n${said}`)));
  });
}

describe.each(['fastify', 'express'])('the example that embeds the service in %s', (framework) => {
  let installation: PackedInstallation;
  let database: TestDatabase;
  let host: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    const example = path.join(import.meta.dirname, `embed-${framework}`);
    installation = await installPacked({ packages: ['@svc/server', '@svc/web'], example });
    database = await createMigratedDatabase();
    host = spawn(process.execPath, ['server.ts'], {
      cwd: installation.folder,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        Svc__Database__ConnectionString: urlOf(database),
        Svc__EncryptionKey: 'encryption-key-of-the-examples-0123456789',
        Svc__Logging__Level: 'silent',
      },
    });
    origin = await originOf(host);
  }, startMaxMs * 4);
  afterAll(async () => {
    if (host?.exitCode === null) host.kill('SIGKILL');
    await database?.drop();
    installation?.remove();
  });

  const ask = (url: string, request: RequestInit = {}) =>
    fetch(origin + url, { redirect: 'manual', ...request });
  const signIn = async (name: string) => {
    const answer = await ask('/login', { method: 'POST', body: new URLSearchParams({ name }) });
    expect(answer.status).toBe(303);
    return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  };
  /** Returns a browser that is signed in at the application. It sends the antiforgery token. */
  const browserOf = async (name: string) => {
    const cookies = await signIn(name);
    const csrf = await ask('/svc/api/csrf', { headers: { cookie: cookies.join('; ') } });
    cookies.push(...csrf.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? ''));
    const { token } = (await csrf.json()) as { token: string };
    const headers = { cookie: cookies.join('; '), 'x-xsrf-token': token };
    const json = { 'content-type': 'application/json' };
    return (method: string, url: string, body?: unknown) =>
      ask(
        url,
        body === undefined
          ? { method, headers }
          : { method, headers: { ...headers, ...json }, body: JSON.stringify(body) },
      );
  };

  test('keeps its own paths, bodies included', async () => {
    expect(await (await ask('/')).text()).toContain('The application');
    expect((await ask('/nowhere')).status).toBe(404);
    expect((await ask('/login', { method: 'POST', body: new URLSearchParams({ name: 'eve' }) })).status).toBe(
      401,
    );
  });

  test('serves the UI and the API, and says where to sign in', async () => {
    const page = await ask('/svc/home', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('x-powered-by')).toBeNull();
    const script = /src="(\/svc\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    expect((await ask(script ?? '')).status).toBe(200);
    expect(await (await ask('/svc/api/auth/me')).json()).toMatchObject({
      isAuthenticated: false,
      externalLogin: { loginUrl: '/login' },
    });
    expect((await ask('/svc/api/projects')).status).toBe(401);
    expect((await ask('/.well-known/nothing')).headers.get('content-type')).toContain('problem+json');
  });

  test('admits the users of the host, with the roles and memberships that the host reports', async () => {
    const [ada, grace, edsger] = [
      await browserOf('ada'),
      await browserOf('grace'),
      await browserOf('edsger'),
    ];
    const created = await ada('POST', '/svc/api/projects', { name: 'Of the application', description: '' });
    expect(created.status).toBe(201);
    const { projectId } = (await created.json()) as { projectId: number };
    const project = `/svc/api/projects/${projectId}`;
    expect((await edsger('POST', '/svc/api/projects', { name: 'No', description: '' })).status).toBe(403);
    expect((await grace('GET', project)).status).toBe(200);
    const closing = await ada('PUT', `${project}/access-mode`, { accessMode: 'Restricted' });
    expect(closing.status).toBe(204);
    expect((await grace('GET', project)).status).toBe(404);
    expect((await ada('PUT', `/members/${projectId}/grace`)).status).toBe(204);
    expect((await grace('GET', project)).status).toBe(200);
    expect((await edsger('GET', project)).status).toBe(404);
  });

  test('ends with exit code 0 on SIGTERM', async () => {
    const ended = new Promise((resolve) => host.once('exit', (code) => resolve(code)));
    host.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
