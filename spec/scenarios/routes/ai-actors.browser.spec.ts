import { axeFindings } from '@svc/testkit/browser/browser.ts';
import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { headingAt, walk } from '../support/pages/walk.ts';
import { scenario } from '../support/scenario.ts';

const path = '/svc/api/ai-actors';
const action = (type: string, more: Readonly<Record<string, unknown>>) => ({
  type,
  reasoning: 'Guests without an address cannot be written to.',
  queryId: null,
  queryName: null,
  description: null,
  sql: null,
  cronExpression: null,
  notificationTrigger: null,
  minimumRowCount: null,
  subscriptionId: null,
  schemaName: null,
  tableName: null,
  contractName: null,
  rules: [],
  ...more,
});
const rule = {
  name: 'Every guest has an address',
  type: 'NullRate',
  columns: ['email'],
  maxAgeMinutes: null,
  minRows: null,
  maxRows: null,
  min: null,
  max: null,
  values: [],
};
const proposed = {
  analysis: 'Nobody watches whether guests can be reached.',
  findings: ['A third of the columns may be null.', 'There is no check on guests.'],
  actions: [
    action('CreateQuery', {
      queryName: 'Guests without an address',
      sql: 'select id, email from guests where email is null or id > 6 order by id',
    }),
    action('CreateSubscription', { queryName: 'Guests without an address', cronExpression: '0 6 * * 1-5' }),
    action('CreateContract', {
      schemaName: 'public',
      tableName: 'guests',
      contractName: 'Guests',
      rules: [rule],
    }),
    action('CreateQuery', { queryName: 'Clear guests', sql: 'delete from guests' }),
  ],
};

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
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow, `${page.url()} at ${width}`).toBeLessThan(1);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

scenario(
  ['RT-4.1-19', 'RT-4.1-590', 'RT-4.1-591', 'RT-4.1-592'],
  'an Editor creates an AI actor and starts it, an Approver outside the project approves its plan, and a Viewer reads both',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const fixture = await deliver(
      {
        'Svc:LLM:TrustedHosts': ['127.0.0.1'],
        'Svc:LLM:Provider': 'OpenAiCompatible',
        'Svc:LLM:Endpoint': `${provider.origin}/v1`,
        'Svc:LLM:Model': 'script',
      },
      withPages(),
    );
    const { svc, root, source, dataSourceId } = fixture;
    await source.sql(`create table guests (id int primary key, email text);
      insert into guests select n, case when n % 3 = 0 then null else 'guest' || n || '@example.org' end
      from generate_series(1, 9) n`);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const someone = async (name: string, role: 'Editor' | 'Viewer' | 'Approver') =>
      signIn(svc, await addUser(svc, name, [role]));

    let actorId = 0;
    await lookAt(svc.origin, await someone('owner', 'Editor'), async (page) => {
      expect(await headingAt(page, '/ai-actors')).toContain('AI actors');
      await expectAccessible(page);
      await page.getByRole('link', { name: 'New actor' }).first().click();
      await page.getByRole('combobox', { name: 'Project' }).fill('Shop');
      await page.getByRole('option', { name: 'Shop', exact: true }).click();
      await page.getByRole('combobox', { name: 'Data source' }).click();
      await page.getByRole('option', { name: fixture.sourceName }).click();
      await page.getByLabel('Name').fill('Reach every guest');
      await page.getByLabel('What should it watch?').fill('Watch that every guest can be reached.');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create actor' }).click();
      await page.waitForURL(/\/ai-actors\/\d+$/);
      actorId = Number(page.url().split('/').at(-1));
      await page.getByRole('heading', { name: 'Reach every guest', level: 1 }).waitFor();
      await expectAccessible(page);
      await provider.script(proposed);
      await page.getByRole('button', { name: 'Think now' }).click();
      await page.getByRole('link', { name: 'Pending plan' }).waitFor();
      await page.getByRole('tab', { name: /Thinks/ }).click();
      await page.getByText('1 left out of the plan').click();
      await expectAccessible(page);
      await page.goto(`/svc/ai-actors/${actorId}/edit`);
      await page.getByLabel('Cron expression (optional)').fill('0 6 * * 1');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/\/ai-actors\/\d+$/);
      await page.getByRole('link', { name: 'Pending plan' }).click();
      await page.getByText('An Approver who neither owns nor created the actor').waitFor();
      await page.getByText('Rows it returns now').click();
      await page.getByRole('cell', { name: '9', exact: true }).waitFor();
      expect(await page.getByRole('cell', { name: 'NULL' }).count()).toBe(3);
      expect(await page.getByText('@example.org').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await expectAccessible(page);
    });

    await lookAt(svc.origin, await someone('approver', 'Approver'), async (page) => {
      await page.goto('/svc/approvals');
      await page.getByText('Reach every guest').click();
      await page.waitForURL(/\/ai-actors\/plans\/\d+$/);
      await page.getByText('New query: Guests without an address').waitFor();
      await page.getByText('It sends nothing: a task is opened.').waitFor();
      expect(await page.getByText('Rows it returns now').count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole('checkbox', { name: 'New data contract: Guests' }).uncheck();
      await page.getByRole('button', { name: 'Approve 2' }).click();
      await page.getByLabel('Comment (optional)').fill('Contract later.');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Approve plan' }).click();
      await page.getByText('Left out').waitFor();
    });
    const actor = await until('the query of the actor', async () => {
      const { body } = await root.get(`${path}/${actorId}`);
      return body.queryCount === 1 ? body : undefined;
    });
    expect(actor).toMatchObject({ subscriptionCount: 1, pendingPlanId: null });

    await lookAt(svc.origin, await someone('reader', 'Viewer'), async (page) => {
      await walk(page, [
        ['/ai-actors', 'AI actors'],
        [`/ai-actors/${actorId}`, 'Reach every guest'],
        [`/ai-actors/${actorId}/edit`, 'Edit Reach every guest'],
      ]);
      await page.goto(`/svc/ai-actors/${actorId}?tab=queries`);
      await page.getByText('Guests without an address').waitFor();
      expect(await page.getByRole('button', { name: 'Think now' }).count()).toBe(0);
    });
    await lookAt(svc.origin, await someone('keeper', 'Approver'), async (page) => {
      expect(await headingAt(page, '/ai-actors')).not.toContain('AI actors');
    });
  },
  inBrowser,
);
