import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get as plainGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { access, defineEndpoint } from '@svc/contract';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousCaller } from '../access/index.ts';
import { createHttpApp, route } from '../http/index.ts';
import { pagesPlugin } from './plugin.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-pages-'));
const script = 'export const answer = 42;';
let origin: string;
let isSetupOpen = false;
const closing: (() => Promise<unknown>)[] = [];

const act = defineEndpoint({
  operationId: 'act',
  tag: 'test',
  summary: 'Test',
  method: 'POST',
  path: '/svc/api/act',
  responses: { 200: Type.Object({}) },
  access: access.anonymous(),
});

const appOptions = {
  routes: [route(act, async () => ({}))],
  log: pino({ level: 'silent' }),
  bodyLimitBytes: 1_000,
  knownProxies: [],
  authenticate: async () => anonymousCaller,
  checkAntiforgery: () => undefined,
  isSetupOpen: () => isSetupOpen,
};

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  mkdirSync(path.join(folder, '.vite'));
  writeFileSync(
    path.join(folder, 'index.html'),
    '<meta property="csp-nonce" nonce="__STYLE_NONCE__"><meta name="jobs-dashboard" content="__JOBS_DASHBOARD__"><meta name="svc-base-path" content="__BASE_PATH__"><script src="/svc/assets/app-1a2b.js"></script><title>Page</title>',
  );
  writeFileSync(path.join(folder, 'assets/app-1a2b.js'), script);
  writeFileSync(path.join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(script));
  writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(folder, '.vite/manifest.json'), '{}');
  mkdirSync(path.join(folder, 'help/guides'), { recursive: true });
  writeFileSync(path.join(folder, 'help/guides/keys.md'), '# Keys');
  writeFileSync(path.join(folder, 'llms.txt'), '# Svc');
  const app = await createHttpApp({
    ...appOptions,
    plugins: [pagesPlugin({ folder, jobsDashboard: '/warp"<$&' })],
  });
  const server = createServer((request, response) => app.routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closing.push(
    () => app.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
});

afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(origin + url, { headers, redirect: 'manual' });

describe('pages', () => {
  test.each(['/svc', '/svc/', '/svc/home', '/svc/queries/12/edit', '/svc/anything'])(
    '%s returns the index page',
    async (url) => {
      const answer = await get(url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain('<title>Page</title>');
    },
  );

  test('every answer has its own nonce, in the policy and in the page', async () => {
    const nonces = await Promise.all(
      [0, 1].map(async () => {
        const answer = await get('/svc/home');
        const [, inPolicy] =
          /style-src 'self' 'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
        expect(await answer.text()).toContain(`nonce="${inPolicy}"`);
        return inPolicy;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('a page at the root contains no base, and a page below a base contains it in its own address and those of its files', async () => {
    expect(await (await get('/svc/home')).text()).toContain(
      '<meta name="svc-base-path" content=""><script src="/svc/assets/app-1a2b.js">',
    );
    const app = await createHttpApp({
      ...appOptions,
      basePath: '/tools',
      plugins: [pagesPlugin({ folder, basePath: '/tools' })],
    });
    closing.push(() => app.close());
    const page = await app.inject('/svc/home');
    expect(page.body).toContain(
      '<meta name="svc-base-path" content="/tools"><script src="/tools/svc/assets/app-1a2b.js">',
    );
    expect((await app.inject('/svc/assets/app-1a2b.js')).body).toBe(script);
  });

  test('the policy admits no inline script, no other origin and no frame', async () => {
    const answer = await get('/svc/home');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  test('during setup every page except the setup page redirects to it', async () => {
    isSetupOpen = true;
    const home = await get('/svc/home');
    const setup = await get('/svc/setup');
    const file = await get('/svc/assets/app-1a2b.js');
    isSetupOpen = false;
    expect([home.status, home.headers.get('location')]).toEqual([302, '/svc/setup']);
    expect([setup.status, file.status]).toEqual([200, 200]);
  });

  test('the page contains the path of the job dashboard, as escaped text', async () => {
    expect(await (await get('/svc/home')).text()).toContain(
      'name="jobs-dashboard" content="/warp&quot;&lt;$&amp;"',
    );
  });
});

describe('static files', () => {
  test('a file with a hash in its name is cached permanently, and other files are revalidated', async () => {
    expect((await get('/svc/assets/app-1a2b.js')).headers.get('cache-control')).toContain('immutable');
    expect((await get('/svc/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  test('a browser that accepts brotli receives it, and a browser with the current file receives 304', async () => {
    const answer = await new Promise<{ body: Buffer; encoding: string | undefined }>((resolve, reject) => {
      const headers = { 'accept-encoding': 'gzip, br' };
      plainGet(`${origin}/svc/assets/app-1a2b.js`, { headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ body: Buffer.concat(parts), encoding: response.headers['content-encoding'] }),
        );
      }).on('error', reject);
    });
    expect(answer.encoding).toBe('br');
    expect(brotliDecompressSync(answer.body).toString()).toBe(script);
    const etag = (await get('/svc/favicon.svg')).headers.get('etag') ?? '';
    expect((await get('/svc/favicon.svg', { 'if-none-match': etag })).status).toBe(304);
  });

  test('texts of the documentation are served with their own types and execute nothing', async () => {
    const [list, page] = [await get('/svc/llms.txt'), await get('/svc/help/guides/keys.md')];
    expect([list.headers.get('content-type'), await list.text()]).toEqual([
      'text/plain; charset=utf-8',
      '# Svc',
    ]);
    expect([page.headers.get('content-type'), await page.text()]).toEqual([
      'text/markdown; charset=utf-8',
      '# Keys',
    ]);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    '/svc/assets/missing.js',
    '/svc/help/missing.md',
    '/svc/help',
    '/svc/llms-full.txt',
    '/svc/assets/app-1a2b.js.br',
    '/svc/api/missing',
    '/svc/api',
    '/svc/mcp',
    '/svc/mcp/x',
  ])('%s never returns the index page', async (url) => {
    const answer = await get(url);
    const body = await answer.text();
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(body).not.toContain('<title>');
  });

  test('a path of the API with other methods returns 405 and names these methods', async () => {
    const answer = await get('/svc/api/act');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('internal files of the build are not served', async () => {
    const answer = await get('/svc/.vite/manifest.json');
    expect(await answer.text()).not.toBe('{}');
  });

  test('a folder without a built UI prevents the start, and the error names the build command', () => {
    expect(() => pagesPlugin({ folder: path.join(folder, 'assets') })).toThrow(/npm run build -w @svc\/web/);
  });
});
