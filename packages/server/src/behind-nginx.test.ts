import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { connect } from '@svc/testkit/client/hub-client.ts';
import { setUp, superAdmin } from '@svc/testkit/people/people.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findProgram, hasPrograms } from '../../../tools/test/programs.ts';

const hasNginx = hasPrograms({ tests: 'tests of the proxy', programs: ['nginx'], debianPackage: 'nginx' });
const recipe = readFileSync(path.join(import.meta.dirname, '../../../docs/recipes/reverse-proxy.md'), 'utf8');
const startMaxMs = 300_000;

/** The configuration file of the recipe. */
const site = /```nginx\n([\s\S]*?)```/.exec(recipe)?.[1] ?? '';

/** Replaces one text of the file by the test's own. Fails if the file does not contain it. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The recipe's file has no "${from}".`);
  return text.replaceAll(from, to);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

describe.skipIf(!hasNginx)('the service behind nginx with the documented configuration', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-nginx-'));
  const files = path.join(folder, 'files');
  const trusted = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  let svc: RunningService;
  let nginx: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    // The proxy's authority is the test's own, and clients of the official libraries have no option for one.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    mkdirSync(files);
    const port = await freePort();
    origin = `https://localhost:${port}`;
    svc = await startService({
      config: {
        'Svc:ForwardedHeaders:KnownProxies': ['127.0.0.1'],
        'Svc:BaseUrl': `${origin}/svc`,
        'Svc:PublicBaseUrl': origin,
        'Svc:Query:FileFolders': [files],
      },
    });
    const { cert, key } = await (await createTestAuthority()).issue('localhost');
    writeFileSync(path.join(folder, 'site.pem'), cert);
    writeFileSync(path.join(folder, 'site.key'), key);
    let text = replaced(site, 'listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`);
    text = replaced(text, 'server_name data.example.org;', 'server_name localhost;');
    text = replaced(text, '/etc/ssl/data.example.org.', `${folder}/site.`);
    text = replaced(text, 'http://127.0.0.1:8080', svc.origin);
    // The main file of a distribution, with paths that this process may write.
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const main = path.join(folder, 'nginx.conf');
    writeFileSync(path.join(folder, 'site.conf'), text);
    writeFileSync(
      main,
      `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
       events {} http { access_log off; ${places.join(' ')} include ${folder}/site.conf; }`,
    );
    nginx = spawn(findProgram('nginx') ?? 'nginx', ['-c', main, '-e', path.join(folder, 'error.log')]);
    await vi.waitFor(
      async () => expect((await fetch(`${origin}/svc/api/health`, { redirect: 'manual' })).status).toBe(302),
      {
        timeout: 60_000,
        interval: 100,
      },
    );
  }, startMaxMs);
  afterAll(async () => {
    if (trusted === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = trusted;
    if (nginx?.exitCode === null) {
      nginx.kill('SIGQUIT');
      await once(nginx, 'exit');
    }
    await svc?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Signs in from an address of this machine other than the proxy's. */
  const signInFrom = (localAddress: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
      const sent = request(`${origin.replace('localhost', '127.0.0.1')}/svc/api/auth/login`, {
        method: 'POST',
        headers,
        localAddress,
        servername: 'localhost',
      });
      sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      sent.end(
        JSON.stringify({ username: superAdmin.userName, password: superAdmin.password, rememberMe: false }),
      );
    });

  test('supports sign-in, WebSockets, large files and compressed answers, and audits the address of the client', async () => {
    const early = await createHttpClient(origin).get('/svc/api/health');
    expect([early.status, early.headers.get('location')]).toEqual([302, '/svc/setup']);
    const root = await setUp({ origin });
    expect(root.cookies.size).toBeGreaterThan(0);
    const again = createHttpClient(origin);
    const login = await again.post('/svc/api/auth/login', {
      username: superAdmin.userName,
      password: superAdmin.password,
      rememberMe: false,
    });
    expect(login.setCookies.join('\n')).toMatch(/Svc\.Auth=.*; Secure/);
    expect(login.headers.get('strict-transport-security')).toBeTruthy();

    const hub = await connect(origin, root, { transport: 'WebSockets' });
    expect(hub.connection.state).toBe('Connected');
    await hub.connection.stop();
    const events = await connect(origin, root, { transport: 'ServerSentEvents' });
    expect(events.connection.state).toBe('Connected');
    await events.connection.stop();

    const rows = `n\n${'123456789\n'.repeat(1_500_000)}`;
    const sent = await root.send('POST', '/svc/api/data-sources/files?name=large.csv', undefined, {
      rawBody: rows,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect([sent.status, sent.body.sizeBytes]).toEqual([201, rows.length]);

    const engines = await root.get('/svc/api/data-sources/engines');
    expect(engines.headers.get('content-encoding')).toBe('gzip');
    expect(engines.headers.get('vary')).toMatch(/accept-encoding/i);

    expect(await signInFrom('127.0.0.2')).toBe(200);
    const { rows: seen } = await svc.database.query(
      `select client_address from svc.audit_events where event = 'auth.sign_in' order by id desc limit 1`,
    );
    expect(String(seen[0]?.client_address)).toContain('127.0.0.2');
  });
});
