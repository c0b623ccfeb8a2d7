import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { axeFindings } from '@svc/testkit/browser/browser.ts';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addDataSource, startSource } from '@svc/testkit/runs/watch.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { headingAt, walk } from '../support/pages/walk.ts';
import { scenario } from '../support/scenario.ts';

const pages: readonly (readonly [string, string])[] = [
  ['/migration-jobs', 'Data migration'],
  ['/migration-jobs/new', 'New migration job'],
  ['/migration-history', 'Migration history'],
];

/** Selects an option by its name in a search field. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

const widths = [1440, 1024, 390];

/** Expects no accessibility violations and no horizontal overflow, at each width and in both themes. */
async function expectAccessible(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      expect(await axeFindings(page), `${page.url()} at ${width}, ${colorScheme}`).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThan(1);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

scenario(
  ['RT-4.1-17'],
  'a MigrationOperator creates, previews, tries and runs a job, and an Admin permits writes to the destination',
  async ({ svc, root }) => {
    const on = await svc.replica({ 'Svc:Migrations:Enabled': true }, withPages());
    const source = await startSource();
    await source.sql(`create table orders (id int primary key, state text);
      insert into orders select n, 'new' from generate_series(1, 30) n;
      create table kept_orders (number int primary key, state text); insert into kept_orders values (7, 'old')`);
    const id = await addDataSource(root, await addProject(root, 'Migrated'), source.connection, 'Warehouse');
    const signedIn = async (name: string, roles: Parameters<typeof addUser>[2]): Promise<HttpClient> =>
      signIn(on, await addUser(svc, name, roles));

    const admin = await signedIn('opens', ['Admin']);
    await lookAt(on.origin, admin, async (page) => {
      await walk(page, pages);
      await page.goto(`/svc/data-sources/${id}`);
      await page.getByRole('button', { name: 'Allow data migration to write' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('button', { name: 'Close to data migration' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
    });

    let jobPath = '';
    const operator = await signedIn('operates', ['MigrationOperator']);
    await lookAt(on.origin, operator, async (page) => {
      await page.goto('/svc/migration-jobs');
      await page.getByText('No migration jobs yet').waitFor();
      await page.getByRole('main').getByRole('link', { name: 'New job' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('Orders that are kept');
      await pick(page, 'Data source to read', 'Warehouse');
      await pick(page, 'Table that is read', 'public.orders');
      await page.getByText('2 columns would be read').waitFor();
      await pick(page, 'Data source to write to', 'Warehouse');
      await pick(page, 'Table that is written', 'public.kept_orders');
      await page.getByRole('combobox', { name: 'Mode' }).click();
      await page.getByRole('option', { name: /^Upsert/ }).click();
      await page.getByText('It cannot be copied yet').waitFor();
      await page.getByText('The destination needs a value in number').waitFor();
      await expectAccessible(page);
      await page.getByRole('row', { name: /state.*state/ }).waitFor();
      await page.getByRole('button', { name: 'Map the columns by hand' }).click();
      await page.getByRole('button', { name: 'Map a column' }).click();
      await pick(page, 'Column 2 of the source', 'id (integer)');
      await pick(page, 'Column 2 of the destination', 'number (integer)');
      await page.getByText('Ready to copy').waitFor();
      await page.getByText(/^Reads .*; those with the key of a row that is read are changed/).waitFor();
      await page.getByRole('button', { name: 'Show the first rows' }).click();
      await page.getByRole('gridcell', { name: 'new' }).first().waitFor();
      expect((await operator.get('/svc/api/migrations/jobs')).body.totalCount).toBe(0);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save and preview' }).click();
      await page.waitForURL((url) => /\/migration-jobs\/\d+$/.test(url.pathname));
      await page.getByText('Ready to copy').waitFor();
      jobPath = new URL(page.url()).pathname.replace('/svc', '');
      expect(jobPath).toMatch(/^\/migration-jobs\/\d+$/);
      await page.getByRole('row', { name: /id.*number/ }).waitFor();
      expect((await source.pool.query('select * from kept_orders')).rows).toHaveLength(1);
      await expectAccessible(page);

      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByText('Trial: rolled back').waitFor();
      await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor();
      await page.getByText('29 added, 1 changed').first().waitFor();
      expect((await source.pool.query('select * from kept_orders')).rows).toEqual([
        { number: 7, state: 'old' },
      ]);

      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByText('Trial: rolled back').waitFor({ state: 'detached' });
      await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor();
      expect((await source.pool.query('select * from kept_orders')).rows).toHaveLength(30);
      await expectAccessible(page);

      await page.getByRole('link', { name: 'All copies' }).click();
      await page.getByRole('heading', { level: 1, name: 'Migration history' }).waitFor();
      await page.getByRole('row', { name: /Orders that are kept.*Completed.*Trial/ }).waitFor();
      await expectAccessible(page);
      await page.goto('/svc/migration-jobs');
      await page.getByRole('row', { name: /Orders that are kept.*Upsert.*Completed/ }).waitFor();
      await expectAccessible(page);
      await page.goto('/svc/home');
      await page.getByRole('link', { name: /^1\s*Copied in 24 hours/ }).waitFor();
    });

    const editor = await signedIn('edits', ['Editor', 'DataSourceAdmin']);
    await lookAt(on.origin, editor, async (page) => {
      await walk(
        page,
        [...pages.map(([path]) => path), jobPath].map((path) => [path, 'You do not have access']),
      );
      await page.goto(`/svc/data-sources/${id}`);
      await page.getByText('Writes of data migration').waitFor();
      expect(await page.getByRole('button', { name: 'Close to data migration' }).count()).toBe(0);
    });
    await on.close();
    await source.close();
  },
  inBrowser,
);

scenario(
  ['RT-4.1-17'],
  'a job can copy from one file to a new file, both named as in the settings of the data source',
  async ({ svc }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-copied-files-'));
    writeFileSync(path.join(folder, 'orders.csv'), 'number,state\n1,new\n2,"late, very"\n3,\n');
    const files = { 'Svc:Query:FileFolders': [folder] };
    const on = await svc.replica({ 'Svc:Migrations:Enabled': true, ...files }, withPages());
    const admin = await signIn(on, await addUser(svc, 'keeps-files', ['Admin']));
    const connection = {
      files: ['orders.csv', 'kept.parquet'].map((file) => ({
        name: path.parse(file).name,
        path: path.join(folder, file),
      })),
    };
    const made = await admin.post('/svc/api/data-sources', { name: 'Folder', engine: 'DuckDB', connection });
    expect(made.status, made.text).toBe(201);
    await admin.put(`/svc/api/data-sources/${made.body.id}/migration-writes`, { isAllowed: true });
    const operator = await signIn(on, await addUser(svc, 'copies-files', ['MigrationOperator']));
    await lookAt(on.origin, operator, async (page) => {
      await page.goto('/svc/migration-jobs/new');
      await page.getByLabel('Name', { exact: true }).fill('Orders as Parquet');
      await pick(page, 'Data source to read', 'Folder');
      await pick(page, 'Table that is read', 'main.orders');
      await page.getByText('2 columns would be read').waitFor();
      await pick(page, 'Data source to write to', 'Folder');
      await page.getByText('A new file', { exact: true }).click();
      await pick(page, 'Name of the new file', 'kept');
      await page.getByText('Ready to copy').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save and preview' }).click();
      await page.waitForURL((url) => /\/migration-jobs\/\d+$/.test(url.pathname));
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor();
      await page.getByText('3 added').first().waitFor();
      expect(readdirSync(folder).sort()).toEqual(['kept.parquet', 'orders.csv']);
      await expectAccessible(page);
    });
    await on.close();
    rmSync(folder, { recursive: true });
  },
  inBrowser,
);

scenario(
  ['RT-4.1-18'],
  'while data migration is off, its pages redirect to Home as any unknown path does, and no link leads to them',
  async ({ svc }) => {
    const off = await svc.replica({}, withPages());
    const admin = await signIn(off, await addUser(svc, 'admin-while-off', ['Admin']));
    await lookAt(off.origin, admin, async (page) => {
      for (const [path] of [...pages, ['/migration-jobs/1', '']] as const) {
        expect(await headingAt(page, '/about')).toBe('About');
        await page.goto(`/svc${path}`);
        await page.waitForURL((url) => url.pathname === '/svc/home');
      }
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      expect(await page.getByRole('link', { name: 'Data migration' }).count()).toBe(0);
    });
    const on = await svc.replica({ 'Svc:Migrations:Enabled': true }, withPages());
    await lookAt(on.origin, admin, async (page) => {
      expect(await headingAt(page, '/migration-jobs')).toBe('Data migration');
      await page.getByRole('navigation').getByRole('link', { name: 'Data migration' }).first().waitFor();
    });
    await on.close();
    await off.close();
  },
  inBrowser,
);

scenario(
  ['RT-4.1-17'],
  'a copy shows its progress, asks before it deletes rows, can be cancelled and retried, and its job can be edited',
  async ({ svc, root }) => {
    const on = await svc.replica({ 'Svc:Migrations:Enabled': true }, withPages());
    const source = await startSource();
    await source.sql(`create table orders (id int primary key); insert into orders values (1), (2);
      create table kept (id int primary key); insert into kept values (2)`);
    const id = await addDataSource(
      root,
      await addProject(root, 'Watched while it copies'),
      source.connection,
    );
    await root.put(`/svc/api/data-sources/${id}/migration-writes`, { isAllowed: true });
    const operator = await signIn(on, await addUser(svc, 'watches', ['MigrationOperator']));
    const job = await operator.post('/svc/api/migrations/jobs', {
      name: 'Orders in step',
      dataSourceId: id,
      source: { kind: 'Table', schema: 'public', table: 'orders' },
      destinationDataSourceId: id,
      destination: { schema: 'public', table: 'kept' },
      mode: 'Sync',
    });
    expect(job.status, job.text).toBe(201);
    const holder = await source.pool.connect();
    await holder.query('begin; lock table kept in share mode');
    await lookAt(on.origin, operator, async (page) => {
      const state = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
      await page.goto(`/svc/migration-jobs/${job.body.id}`);
      await page.getByText('No copies yet').waitFor();
      await page.getByRole('button', { name: 'Run now' }).press('Enter');
      const asked = page.getByRole('dialog');
      await asked.getByText('that the source lacks are deleted').waitFor();
      await asked.getByRole('button', { name: 'Run now' }).press('Enter');
      await state('Applying');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
      await state('Cancelled');
      await holder.query('rollback');
      expect((await source.pool.query('select id from kept')).rows).toEqual([{ id: 2 }]);

      await page.getByRole('button', { name: 'Retry' }).press('Enter');
      await state('Completed');
      await page.getByText('1 added, 1 as they were').first().waitFor();
      expect((await source.pool.query('select id from kept order by id')).rows).toEqual([
        { id: 1 },
        { id: 2 },
      ]);

      await page.getByRole('tab', { name: 'Definition' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Orders kept in step');
      await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Orders kept in step' }).waitFor();
      await page.getByRole('button', { name: 'Actions for Orders kept in step' }).click();
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Archive job' }).click();
      await page.waitForURL((url) => url.pathname === '/svc/migration-jobs');
    });
    expect((await operator.get(`/svc/api/migrations/jobs/${job.body.id}`)).status).toBe(404);
    holder.release();
    await on.close();
    await source.close();
  },
  inBrowser,
);
