import { axeFindings, hasChromium, picture, type Visitor, visit } from '@svc/testkit/browser/browser.ts';
import { addPerson, administrator, signIn } from '@svc/testkit/browser/people.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const approver = { userName: 'ivo.babic', password: 'Correct-horse-8' };

async function addRecipient(page: Page, name: string, destination: string): Promise<void> {
  await page.goto('/svc/recipients');
  await page.getByRole('button', { name: 'New recipient' }).first().click();
  await page.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'Webhook' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Webhook address').fill(destination);
  await page.getByRole('button', { name: 'Add recipient' }).click();
  await rowOf(page, name).waitFor();
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function openActs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
}

/** Opens the pending request about a recipient. */
async function openChange(page: Page, name: string): Promise<void> {
  await page.goto('/svc/approvals?status=Pending');
  await rowOf(page, name).getByRole('link').first().click();
  await page.getByRole('table', { name: 'Before and after' }).waitFor();
}

/** Returns the axe findings at phone widths, and overflows of tablet and phone windows. */
async function narrowFindings(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const width of [1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (overflow > 0) findings.push(`${page.url()}: ${overflow} px wider than ${width} px`);
    if (width < 640) findings.push(...(await axeFindings(page)));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return findings;
}

describe.skipIf(!hasChromium)('approval of a redirected recipient', () => {
  const fixture = useBrowserFixture({
    service: {
      withDemo: false,
      settings: { 'Svc:ApprovalWorkflow:Enabled': true, 'Svc:ApprovalWorkflow:CoversQueries': false },
    },
  });
  let asker: Visitor;
  let reviewer: Visitor;

  beforeAll(async () => {
    asker = fixture.visitor;
    reviewer = await visit(fixture.browser, fixture.service.origin, { theme: 'dark' });
    await addPerson(asker.context, reviewer.context, { ...approver, roles: ['Approver'] });
    await signIn(reviewer.page, approver.userName, approver.password);
  }, flowMaxMs);

  test(
    'is requested on one page, decided on another, and shown to the user who requested it',
    async () => {
      const name = 'Audit hook';
      await addRecipient(asker.page, name, 'https://hooks.example.com/secret-path');
      await rowOf(asker.page, name).getByText('Awaiting approval').waitFor();

      await reviewer.page.goto('/svc/home');
      await reviewer.page.getByRole('link', { name: /Approvals \d+ waiting/ }).waitFor();
      await openChange(reviewer.page, name);
      const { page } = reviewer;
      await page.getByText('Nothing before').first().waitFor();
      expect(await page.locator('body').textContent()).not.toContain('secret-path');
      await expect.poll(() => page.locator('body').textContent()).toContain('hooks.example.com');
      expect(await axeFindings(page)).toEqual([]);
      expect(await narrowFindings(page)).toEqual([]);
      await picture(page, 'approvals-change');
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('button', { name: 'Approve change' }).click();
      await page.getByRole('status').getByText('Approved').waitFor();

      // A change that cannot be displayed requires a comment. The reason of a rejection is shown.
      await asker.page.goto('/svc/recipients');
      await rowOf(asker.page, name).getByText('Approved').waitFor();
      await openActs(asker.page, name);
      await asker.page.getByRole('menuitem', { name: 'Edit' }).click();
      await asker.page.getByLabel('Webhook address').fill('https://hooks.example.com/another-path');
      await asker.page.getByRole('button', { name: 'Save', exact: true }).click();
      await rowOf(asker.page, name).getByText('Awaiting approval').waitFor();
      await openChange(page, name);
      await page.getByText('Both sides look the same').waitFor();
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('button', { name: 'Approve change' }).click();
      await page.getByText('Say how you checked the change.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByLabel('Reason').fill('Nobody knows this address.');
      await page.getByRole('button', { name: 'Reject change' }).click();
      await page.getByRole('status').getByText('Rejected').waitFor();
      await page.getByRole('main').getByText('Nobody knows this address.').waitFor();
      await page.goto('/svc/approvals');
      await rowOf(page, name).first().waitFor();
      expect([...(await axeFindings(page)), ...(await narrowFindings(page))]).toEqual([]);
      await picture(page, 'approvals-list');
      await asker.page.goto('/svc/recipients');
      await rowOf(asker.page, name).getByText('Rejected').waitFor();
      expect(await axeFindings(asker.page)).toEqual([]);

      // The requester can withdraw a repeated request.
      await openActs(asker.page, name);
      await asker.page.getByRole('menuitem', { name: 'Edit' }).click();
      await asker.page.getByText('The last change was rejected').waitFor();
      await asker.page.getByRole('button', { name: 'Save', exact: true }).click();
      await rowOf(asker.page, name).getByText('Awaiting approval').waitFor();
      await openActs(asker.page, name);
      await asker.page.getByRole('menuitem', { name: 'Withdraw the change' }).click();
      await asker.page.getByRole('button', { name: 'Withdraw change' }).click();
      await rowOf(asker.page, name).getByText('Approved').waitFor();
      expect([...asker.complaints, ...reviewer.complaints]).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'admin settings can be changed by an Admin, with their history below',
    async () => {
      const { page } = asker;
      await page.goto('/svc/admin-settings');
      await page.getByLabel('Base URL').fill('https://svc.example.org');
      await page.getByRole('button', { name: 'Save settings' }).click();
      await page.getByText('must be an http or https address that ends in /svc').waitFor();
      await page.getByLabel('Base URL').fill('https://svc.example.org/svc');
      await page.getByRole('button', { name: 'Save settings' }).click();
      const history = page.getByRole('table', { name: 'Changes of settings' });
      await history.getByText('https://svc.example.org/svc').waitFor();
      await history.getByText(administrator.displayName).waitFor();
      expect([...(await axeFindings(page)), ...(await narrowFindings(page))]).toEqual([]);
      await picture(page, 'admin-settings');
      // An Approver has no access to the settings.
      await reviewer.page.goto('/svc/admin-settings');
      await reviewer.page.getByText('You do not have access').waitFor();
    },
    flowMaxMs,
  );
});
