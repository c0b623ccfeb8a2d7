import {
  axeFindings,
  hasChromium,
  openBrowser,
  picture,
  type TestBrowser,
  visit,
} from '@svc/testkit/browser/browser.ts';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { type DeliveryFixture, startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { learn } from '../support/learn.ts';
import { headingAt } from '../support/pages/walk.ts';
import { scenario } from '../support/scenario.ts';

const refused = 'You do not have access';

type Role = 'Viewer' | 'Editor' | 'Auditor' | 'Admin';

/** Opens a page as a new user with a role. */
async function pageOf({ svc }: DeliveryFixture, browser: TestBrowser, role: Role) {
  const { context, page } = await visit(browser, svc.origin);
  const client = await signIn(svc, await addUser(svc, role.toLowerCase(), [role]));
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: svc.origin })));
  return { page, client };
}

async function withLearning(
  look: (fixture: DeliveryFixture, open: (role: Role) => ReturnType<typeof pageOf>) => Promise<void>,
): Promise<void> {
  const fixture = await startDeliveryFixture({ svc: { pages: { folder: buildWeb() } } });
  const browser = await openBrowser();
  try {
    await look(fixture, (role) => pageOf(fixture, browser, role));
  } finally {
    await browser.close();
    await fixture.close();
  }
}

const cell = (page: Page, text: string | RegExp) => page.getByRole('row', { name: text });

scenario(
  ['RT-4.1-30'],
  'readers of a project see learned patterns, and writers can approve them and apply a patch',
  async () => {
    await withLearning(async (fixture, open) => {
      const { root, source, projectId, dataSourceId } = fixture;
      await source.sql(
        'create table guests (id int primary key, full_name text); create table stays (id int, guest int)',
      );
      expect((await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`)).status).toBe(200);
      const sql = 'select s.id from stays s join guests g on g.id = s.guest';
      await root.post('/svc/api/eval/golden', { projectId, dataSourceId, question: 'Who stays?', sql });
      const run = (statement: string) =>
        root.post('/svc/api/mcp/tools/run', { toolName: 'query', projectId, arguments: { sql: statement } });
      for (let time = 0; time < 5; time += 1) await run(sql);
      // Two signals of one caller are too few for a claim.
      for (const statement of ['select fullname from guests', 'select full_name from guests'])
        for (let time = 0; time < 2; time += 1) await run(statement);
      await learn(fixture, 9);

      const { page: viewed } = await open('Viewer');
      expect(await headingAt(viewed, '/mcp-learning')).toBe('MCP learning');
      const join = 'public.guests.id joins public.stays.guest.';
      await cell(viewed, new RegExp(`${join}.*Proposed`))
        .getByRole('link')
        .first()
        .click();
      const dialog = viewed.getByRole('dialog');
      await dialog.getByText('1 example about the same tables; 1 checked').waitFor();
      await dialog.getByText('Deciding needs the right to write in the project.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      expect(await axeFindings(viewed)).toEqual([]);
      await viewed.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await picture(viewed, 'mcp-learning-viewer');

      const { page } = await open('Editor');
      await page.goto('/svc/mcp-learning');
      await cell(page, new RegExp(join)).getByRole('link').first().click();
      const decision = page.getByRole('dialog');
      await decision.getByText('1 example does as it says.').waitFor();
      await picture(page, 'mcp-learning-decision');
      await decision.getByRole('button', { name: 'Approve' }).click();
      await cell(page, new RegExp(`${join}.*Approved`)).waitFor();
      await page.getByRole('tab', { name: /Documentation patches/ }).click();
      const patch = page.getByRole('list', { name: 'Documentation patches' }).getByRole('listitem');
      await patch.getByText('`public.guests.id` joins `public.stays.guest`.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `mcp-learning-patches-${width}`);
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, 'mcp-learning-patches-dark');
      await page.getByRole('button', { name: 'Apply to the notes: public.guests' }).click();
      await page.getByText('No patches wait').waitFor();
      await page.goto(`/svc/projects/${projectId}?tab=documentation`);
      await page.getByRole('region', { name: 'Notes' }).getByText('joins').waitFor();

      const { page: auditor } = await open('Auditor');
      expect(await headingAt(auditor, '/mcp-learning')).toBe(refused);
      const { page: admin } = await open('Admin');
      await admin.goto('/svc/mcp-learning?tab=tables');
      await cell(admin, /public\.guests.*2 of 9/).waitFor();
      await admin.getByRole('link', { name: 'Evaluation' }).last().click();
      await admin.getByRole('heading', { name: 'Evaluation', level: 1 }).waitFor();
    });
  },
  { skip: !hasChromium, timeout: 900_000 },
);

scenario(
  ['RT-4.1-301'],
  'the page of a new key waits for the first call of a client, and then shows that it is connected',
  async () => {
    await withLearning(async ({ svc, projectId }, open) => {
      const { page, client } = await open('Editor');
      await page.goto('/svc/api-keys');
      await page.getByRole('button', { name: 'New API key' }).first().click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name', { exact: true }).fill('Client');
      await form.getByRole('checkbox', { name: 'Execute' }).check();
      await form.getByRole('combobox', { name: 'Projects' }).click();
      await page.getByRole('option', { name: 'Shop' }).click();
      await form.getByLabel('Name', { exact: true }).click();
      await form.getByRole('button', { name: 'Create key' }).click();
      const connect = page.getByRole('region', { name: 'Connect a client' });
      await connect.getByText('Waiting for the first call').waitFor();
      const text = await connect.getByRole('document', { name: 'Configuration' }).textContent();
      const [key] = /sk-sem_[\w-]+/.exec(text ?? '') ?? [];
      expect(text).toContain(`'${svc.origin}/svc/mcp'`);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'connect-client-waiting');
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect((await svc.client(`Bearer ${key}`).post('/svc/mcp', message)).status).toBe(200);
      await connect.getByText('Connected').waitFor();
      await picture(page, 'connect-client-connected');

      // Without a new key, the texts contain a placeholder.
      const { id } = await addKey(client, { scopes: ['Execute'], projects: [projectId], name: 'Second' });
      expect(id).toBeGreaterThan(0);
      for (const path of [`/projects/${projectId}?tab=mcp-context`, '/mcp-playground']) {
        await page.goto(`/svc${path}`);
        const shown = page.getByRole('document', { name: 'Configuration' });
        await shown.getByText('YOUR_API_KEY').waitFor();
        expect(await shown.textContent()).not.toContain('sk-sem_');
        await page.getByText('Connected').waitFor();
        expect(await axeFindings(page)).toEqual([]);
        await picture(page, `connect-client${path.replaceAll(/\W/g, '-')}`);
      }
    });
  },
  { skip: !hasChromium, timeout: 900_000 },
);
