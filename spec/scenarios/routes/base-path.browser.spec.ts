import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, setupRequest, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { buildPages } from '../../../packages/jobs-dashboard/src/testing/build-pages.ts';
import { startSampleHost } from '../support/hosts/sample-host.ts';
import { oidc, startSigningOn } from '../support/hosts/single-sign-on.ts';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const base = '/tools/watch';
const below = { 'Svc:PathBase': base };

scenario(
  ['ID-0-03'],
  'every route, redirect, cookie and document is relative to the base URL of the service',
  async ({ start }) => {
    const svc = await start(below, { dashboard: { prefix: '/warp' } });
    const early = await svc.client().get(`${base}/svc/api/projects`);
    expect([early.status, early.headers.get('location')]).toEqual([302, `${base}/svc/setup`]);
    await setUp(svc);
    const browser = createHttpClient(svc.origin + base);
    const login = { username: superAdmin.userName, password: superAdmin.password, rememberMe: true };
    const signedIn = await browser.post('/svc/api/auth/login', login);
    expect(signedIn.status).toBe(200);
    expect(signedIn.setCookies.length).toBeGreaterThan(0);
    for (const cookie of signedIn.setCookies) expect(cookie).toContain(`Path=${base};`);
    const made = await browser.post('/svc/api/projects', { name: 'Below', description: '' });
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(new RegExp(`^${base}/svc/api/projects/\\d+$`)),
    ]);
    const { servers } = (await browser.get('/openapi/v1.json')).read<{ servers: unknown }>();
    expect(servers).toEqual([{ url: base }]);
    const card = (await browser.get('/.well-known/mcp/server-card.json')).read<{
      remotes: { url: string }[];
    }>();
    expect(card.remotes[0]?.url).toBe(`${svc.origin}${base}/svc/mcp`);
    const refused = await createHttpClient(svc.origin + base).post('/svc/mcp', {});
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${svc.origin}${base}/.well-known/oauth-protected-resource/svc/mcp"`,
    );
    expect((await browser.post('/svc/api/hub/negotiate?negotiateVersion=1')).status).toBe(200);
    expect((await browser.get('/warp/api/session')).status).toBe(200);
    const stranger = await createHttpClient(svc.origin + base).get('/warp');
    expect(stranger.headers.get('location')).toBe(`${base}/svc/login?returnTo=%2Fwarp`);
    // Paths outside the base belong to the host, including paths that only start with the same text.
    for (const path of ['/', '/tools', `${base}x/svc/api/health`, `/other${base}/svc/api/health`])
      expect([path, (await svc.client().get(path)).text]).toEqual([path, 'The host application']);
  },
);

scenario(
  ['ID-0-03'],
  'the sample host redirects from its root to the service below the base path',
  async ({ onEnd }) => {
    const host = await startSampleHost({ Svc__PathBase: base });
    onEnd(host.close);
    expect(host.output()).toContain(`Ready: ${host.origin}${base}/svc\n`);
    const visitor = createHttpClient(host.origin);
    const root = async () => (await visitor.get('/')).headers.get('location');
    expect(await root()).toBe(`${base}/svc/setup`);
    expect((await visitor.post(`${base}/svc/api/setup/superadmin`, setupRequest)).status).toBe(201);
    expect(await root()).toBe(`${base}/svc`);
    expect((await visitor.get('/readyz')).status).toBe(200);
  },
  { timeout: 120_000 },
);

scenario(
  ['ID-0-03'],
  'single sign-on starts below the base path and returns to it',
  async ({ start, onEnd }) => {
    const callback = `${base}/signin-oidc`;
    const fixture = await startSigningOn(start, { ...below, [oidc('EnableFrontChannelLogout')]: true }, [
      callback,
    ]);
    onEnd(fixture.close);
    const name = fixture.person();
    const { browser, answer, isIn } = await fixture.signOn();
    expect([isIn, answer.headers.get('location')]).toEqual([true, `${base}/svc/home`]);
    expect((await browser.get(`${base}/svc/api/auth/me`)).body).toMatchObject({ userName: name });
    expect((await browser.get(`${base}/signout-oidc`)).status).toBe(200);
  },
);

scenario(
  ['ID-0-03'],
  'the pages and the hub work below the base path, and no request leaves it',
  async ({ start }) => {
    buildPages();
    const svc = await start(below, { ...withPages(), dashboard: { prefix: '/warp' } });
    const root = await setUp(svc);
    const project = await addProject(root, 'Seen below');
    const asked: string[] = [];
    await lookAt(svc.origin, undefined, async (page) => {
      const note = (url: string) => void asked.push(new URL(url).pathname);
      page.on('request', (request) => note(request.url()));
      page.on('websocket', (socket) => note(socket.url()));
      const failures: string[] = [];
      page.on('pageerror', (error) => void failures.push(String(error)));
      page.on('response', (answer) => {
        if (answer.status() >= 400) failures.push(`${answer.status()} ${answer.url()}`);
      });
      await page.goto(`${base}/svc/projects/${project}`);
      await page.waitForURL(`**${base}/svc/login?**`);
      await page.getByLabel('User name').fill(superAdmin.userName);
      await page.getByLabel('Password', { exact: true }).fill(superAdmin.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(`**${base}/svc/projects/${project}`);
      await page.getByRole('heading', { level: 1, name: 'Seen below' }).waitFor();
      await page.getByRole('link', { name: 'Queries' }).first().click();
      await page.waitForURL(`**${base}/svc/queries`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect
        .poll(() => asked.includes(`${base}/svc/api/hub`), { timeout: 30_000, interval: 100 })
        .toBe(true);
      await page.goto(`${base}/warp`);
      await page.getByRole('heading', { name: 'Queues' }).waitFor();
      await page.getByRole('link', { name: 'Back to the application' }).click();
      await page.waitForURL(`**${base}/svc/home`);
      expect(failures).toEqual([]);
    });
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((path) => path !== base && !path.startsWith(`${base}/`))).toEqual([]);
  },
  inBrowser,
);
