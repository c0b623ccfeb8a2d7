import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addKey, addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

scenario(
  ['ID-2.5-19', 'ID-2.5-21', 'ID-2.5-22', 'ID-2.5-23'],
  'the page of keys shows name, prefix, scopes, projects, times and status of each key by default',
  async ({ start }) => {
    const svc = await start({}, withPages());
    const root = await setUp(svc);
    const projects = [await addProject(root, 'Shown')];
    const make = (name: string) => addKey(root, { name, scopes: ['Read'], projects });
    const [fresh, endless, ended] = [await make('Fresh'), await make('Endless'), await make('Ended')];
    await svc.sql("update svc.api_keys set expires_at = '2199-12-31T12:00:00Z' where id = $1", [fresh.id]);
    await svc.sql('update svc.api_keys set expires_at = null where id = $1', [endless.id]);
    await svc.sql("update svc.api_keys set expires_at = now() - interval '1 hour' where id = $1", [ended.id]);
    expect((await svc.client(`Bearer ${endless.text}`).get('/svc/api/projects')).status).toBe(200);
    await lookAt(svc.origin, root, async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto('/svc/api-keys');
      await rowOf(page, 'Fresh').waitFor();
      const cells = async (name: string) => rowOf(page, name).getByRole('cell').allInnerTexts();
      for (const name of [
        'Name',
        'Prefix',
        'Scopes',
        'Projects',
        'Created',
        'Last used',
        'Expires',
        'Status',
      ])
        expect([name, await page.getByRole('columnheader', { name }).count()]).toEqual([name, 1]);
      const created = rowOf(page, 'Fresh').locator('time').first();
      const { body } = await root.get('/svc/api/api-keys');
      const { createdTime } = body.items.find(({ id }: { id: number }) => id === fresh.id);
      expect(Date.parse((await created.getAttribute('datetime')) ?? '')).toBe(Date.parse(createdTime));
      expect(await cells('Fresh')).toEqual(
        expect.arrayContaining([fresh.text.slice(0, 16), 'Read', '1 project']),
      );
      expect(await cells('Fresh')).toEqual(expect.arrayContaining(['Never', 'Active']));
      expect((await cells('Fresh')).join(' ')).toMatch(/2199/);
      expect((await cells('Endless')).filter((text) => text === 'Never')).toHaveLength(1);
      expect(await cells('Endless')).toContain('Active');
      expect(await cells('Ended')).toEqual(expect.arrayContaining(['Expired', 'Inactive']));
    });
  },
  inBrowser,
);

scenario(
  ['ID-2.5-27', 'ID-4-31'],
  'the dialog of a new key requests only projects that a key can access, and has a field for the expiration date',
  async ({ start }) => {
    const svc = await start({}, withPages());
    const root = await setUp(svc);
    await addProject(root, 'Offered');
    await lookAt(svc.origin, root, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto('/svc/api-keys');
      const before = asked.length;
      await page.getByRole('button', { name: 'New API key' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Expiration date', { exact: true }).waitFor();
      await dialog.getByLabel('Projects').click();
      await page.getByRole('option', { name: 'Offered' }).waitFor();
      const lists = asked.slice(before).filter((url) => new URL(url).pathname === '/svc/api/projects');
      expect(lists).not.toEqual([]);
      for (const url of lists) expect(new URL(url).searchParams.get('forApiKey')).toBe('true');
    });
  },
  inBrowser,
);

scenario(
  ['ID-5.2-05'],
  'users can change their own password on the page Settings, and then sign in with the new one',
  async ({ start }) => {
    const svc = await start({}, withPages());
    await setUp(svc);
    const person = await addUser(svc, 'mia', ['Viewer']);
    const password = 'Another-horse-8-battery';
    await lookAt(svc.origin, await signIn(svc, person), async (page) => {
      await page.goto('/svc/settings');
      await page.getByLabel('Current password', { exact: true }).fill(person.password);
      for (const label of ['New password', 'Repeat the new password'])
        await page.getByLabel(label, { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Your password was changed.').waitFor();
    });
    await signIn(svc, { ...person, password });
    await expect(signIn(svc, person)).rejects.toThrow('401');
  },
  inBrowser,
);

scenario(
  ['ID-5.3-02'],
  'with local login off the sign-in page has no password form',
  async ({ start }) => {
    const svc = await start({}, withPages());
    await setUp(svc);
    const section = 'Svc:UserManagement:LocalLogin';
    const off = await svc.replica({
      [`${section}:Enabled`]: false,
      [`${section}:BreakGlassUserNames`]: ['root'],
    });
    const passwordFields = async (origin: string): Promise<number> => {
      let count = -1;
      await lookAt(origin, undefined, async (page) => {
        await page.goto('/svc/login');
        await page
          .getByRole('button', { name: /sign in/i })
          .first()
          .waitFor();
        count = await page.locator('input[type="password"]').count();
      });
      return count;
    };
    expect([await passwordFields(svc.origin), await passwordFields(off.origin)]).toEqual([1, 0]);
  },
  inBrowser,
);

scenario(
  ['ID-5.9-03'],
  'if the host owns sign-in, signed-out visitors of any page are redirected to its login page',
  async ({ start, onEnd }) => {
    const host = createServer((_request, response) => response.end('Sign in at the host'));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    onEnd(async () => void host.close());
    const loginUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/sign-in`;
    const svc = await start(
      { 'Svc:UserManagement:Enabled': false, 'Svc:Authentication:ExternalLogin:LoginUrl': loginUrl },
      { ...withPages(), principal: () => null },
    );
    await lookAt(svc.origin, undefined, async (page) => {
      for (const path of ['/svc', '/svc/queries', '/svc/projects/1']) {
        await page.goto(path);
        await page.waitForURL(loginUrl);
        await expect.poll(() => page.textContent('body')).toBe('Sign in at the host');
      }
    });
  },
  inBrowser,
);
