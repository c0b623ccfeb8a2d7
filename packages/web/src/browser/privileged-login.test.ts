import { randomBytes } from 'node:crypto';
import { axeFindings, hasChromium, picture, settled } from '@svc/testkit/browser/browser.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { type Gate, openGate, postgresAddress } from '@svc/testkit/database/gate.ts';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Roles belong to the whole server, which other test files also use. */
const role = `browser_${randomBytes(4).toString('hex')}`;
const password = 'a password of the tests';
const widths = [1440, 390] as const;
const schemes = ['light', 'dark'] as const;

describe.skipIf(!hasChromium)('a login with excessive privileges', () => {
  const databases: TestDatabase[] = [];
  let gate: Gate;
  const fixture = useBrowserFixture({
    service: async () => {
      databases.push(await createEmptyDatabase(), await createEmptyDatabase());
      const [own] = databases;
      if (!own) throw new Error('There is no database.');
      gate = await openGate(postgresAddress(own.connection));
      await onSuperuser((admin) => admin.query(`create role ${role} login password '${password}'`));
      const { user, password: ownPassword, database } = own.connection;
      const url = `postgres://${user}:${encodeURIComponent(ownPassword)}@127.0.0.1:${gate.port}/${database}`;
      const key = 'test key of at least thirty-two bytes';
      return {
        withDemo: false,
        settings: { 'Svc:Database:ConnectionString': url, 'Svc:EncryptionKey': key },
      };
    },
  });
  // Registered after the fixture's hook, so it runs first: the service must stop before the role is dropped.
  const cleanUp = async () => {
    await fixture.service?.stop();
    await onSuperuser((admin) => admin.query(`drop owned by ${role}; drop role ${role}`));
    gate.stop();
    await Promise.all(databases.map((database) => database.drop()));
  };
  afterAll(cleanUp);

  /** Runs work as the server's superuser: in the service's database, or in the data source. */
  async function onSuperuser(work: (admin: pg.Client) => Promise<unknown>, isOwn = false): Promise<void> {
    const admin = new pg.Client(databases[isOwn ? 0 : 1]?.adminConnection);
    await admin.connect();
    await work(admin).finally(() => admin.end());
  }

  /** Takes pictures of the page in both themes, wide and narrow. */
  async function looked(page: Page, name: string, shown?: Locator): Promise<void> {
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 1100 });
        await settled(fixture.visitor);
        await (shown ?? page.getByRole('main')).scrollIntoViewIfNeeded();
        await picture(page, `${name}-${colorScheme}-${width}`);
        expect(await axeFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test(
    'is refused with SQL for another role to copy, and is accepted if the user sets a switch',
    async () => {
      const { main, page, open, visitor, choose } = fixture;
      await onSuperuser((admin) => admin.query(`grant pg_read_server_files to ${role}`));
      await open('/data-sources?new=yes', 'Connect a data source');
      await main.getByRole('radio', { name: /PostgreSQL/ }).check({ force: true });
      await main.getByLabel('Name', { exact: true }).fill('Shop');
      await main.getByLabel('Host', { exact: true }).fill('127.0.0.1');
      await main.getByLabel('Port', { exact: true }).fill(String(gate.port));
      await main.getByLabel('Database', { exact: true }).fill(databases[1]?.connection.database ?? '');
      await main.getByLabel('User', { exact: true }).fill(role);
      await main.getByLabel('Password (optional)', { exact: true }).fill(password);
      await choose('TLS', 'Disable');
      await main.getByRole('button', { name: 'Test connection' }).click();
      const result = main.getByRole('status').filter({ hasText: 'Connection failed' });
      await result.getByText(/member of pg_read_server_files/).waitFor();
      await result.getByText('create role svc_reader').waitFor();
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      const refusal = main.getByRole('alert');
      await refusal.getByText('create role svc_reader').waitFor();
      await result.waitFor({ state: 'detached' });
      await looked(page, 'login-refused', refusal);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await refusal.getByRole('button', { name: 'Copy the SQL' }).click();
      await refusal.getByRole('button', { name: 'Copied' }).waitFor();
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'))
        .toContain('create role svc_reader');

      const accept = main.getByRole('switch', { name: 'Accept a privileged login' });
      await accept.check({ force: true });
      await main.getByRole('button', { name: 'Connect', exact: true }).click();
      await main.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
      await main.getByText('Accept a privileged login').waitFor();
      await settled(visitor);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'of an older data source causes a warning on its page, in the list and on Home',
    async () => {
      const { main, page, open } = fixture;
      // Saves the source with an ordinary login, then marks it as the migration does.
      await onSuperuser((admin) => admin.query(`revoke pg_read_server_files from ${role}`));
      await open('/data-sources/1', 'Shop');
      await fixture.act('Actions for Shop', 'Edit');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: /Change the connection/ }).check();
      await dialog.getByLabel('Password (optional)', { exact: true }).fill(password);
      await dialog.getByRole('switch', { name: 'Accept a privileged login' }).uncheck({ force: true });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await onSuperuser((admin) => admin.query(`grant pg_read_server_files to ${role}`));
      await onSuperuser(
        (admin) => admin.query(`update svc.data_sources set privileged_login = 'Unasked'`),
        true,
      );
      await main.getByRole('button', { name: 'Test connection' }).click();
      const warning = main.getByRole('region', { name: 'Warning' });
      await warning.getByText('create role svc_reader').waitFor();
      await open('/data-sources/1', 'Shop');
      await warning.getByRole('button', { name: 'Copy the SQL' }).waitFor();
      await looked(page, 'login-warning');
      await open('/home', 'Home');
      await main.getByText(/^1 data source signs in with a login/).waitFor();
      await looked(page, 'login-home');
      await main.getByRole('link', { name: 'Show', exact: true }).click();
      await main.getByRole('table', { name: 'Data sources' }).getByText('Privileged login').waitFor();
      await settled(fixture.visitor);
      await looked(page, 'login-list');

      await open('/data-sources/1', 'Shop');
      await fixture.act('Actions for Shop', 'Edit');
      await dialog.getByRole('checkbox', { name: /Change the connection/ }).check();
      await dialog.getByLabel('Password (optional)', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').getByText('create role svc_reader').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('alert').getByRole('button', { name: 'Copy the SQL' }).waitFor();
      // The note is at the beginning of a form that is longer than the dialog.
      await expect.poll(async () => (await dialog.getByRole('alert').boundingBox())?.y).toBeGreaterThan(60);
      await picture(page, 'login-edit');
      expect(fixture.visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
