import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { waitingChange } from '@svc/testkit/runs/approve.ts';
import { addRecipient } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-31'],
  'the list of approvals and the pages of its query and recipient requests are available only to Approvers and Admins',
  async ({ deliver }) => {
    const { svc, root, sink, projectId, dataSourceId } = await deliver(
      { 'Svc:ApprovalWorkflow:Enabled': true },
      withPages(),
    );
    const steps = [{ dataSourceId, sql: 'select 1 as one union all select 2' }];
    const saved = await root.post('/svc/api/queries', { projectId, name: 'Waiting query', steps });
    const { approvalId } = saved.body.pendingVersion;
    const hook = {
      notificationType: 'Webhook' as const,
      name: 'Waiting hook',
      destination: sink.urlOf('/one'),
    };
    const change = await waitingChange(root, await addRecipient(root, hook));
    const paths = ['/approvals', `/approvals/${approvalId}`, `/approvals/changes/${change?.id}`] as const;
    const headings = ['Approvals', 'Waiting query', 'Waiting hook'];

    for (const role of ['Approver', 'Admin'] as const) {
      const client = await signIn(svc, await addUser(svc, `sees-${role.toLowerCase()}`, [role]));
      await lookAt(svc.origin, client, async (page) => {
        for (const [index, path] of paths.entries()) {
          await page.goto(`/svc${path}`);
          await page.getByRole('heading', { level: 1, name: headings[index] ?? '' }).waitFor();
        }
      });
    }
    const editor = await signIn(svc, await addUser(svc, 'sees-nothing', ['Editor', 'SecurityAdmin']));
    await lookAt(svc.origin, editor, async (page) => {
      for (const path of paths) {
        await page.goto(`/svc${path}`);
        await page.getByText('You do not have access').waitFor();
      }
    });

    const reader = await signIn(svc, await addUser(svc, 'decides', ['Approver', 'Viewer']));
    await lookAt(svc.origin, reader, async (page) => {
      await page.goto('/svc/approvals');
      await page.getByRole('link', { name: 'Waiting query' }).click();
      await page.getByText('select 1 as one union all select 2').waitFor();
      await page.getByRole('tab', { name: 'Results' }).click();
      await page.getByRole('button', { name: 'Run both and compare' }).click();
      const compared = page.getByRole('status').filter({ hasText: 'Added' });
      await compared.getByText('2', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('button', { name: 'Approve change' }).click();
      await page.getByText('Approved', { exact: true }).first().waitFor();
    });
    expect((await root.get(`/svc/api/queries/${saved.body.id}`)).body.versionNumber).toBe(1);
  },
  inBrowser,
);
