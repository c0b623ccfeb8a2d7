import { person } from '@svc/testkit/runs/approve.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

const queries = '/svc/api/queries';
const nameField = (page: Page) => page.getByLabel('Name of the query');
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const state = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

scenario(
  ['RT-4.3-1401', 'RT-4.3-1402', 'RT-4.3-1403', 'RT-4.3-1404', 'RT-4.3-1405', 'RT-4.3-1407'],
  'a saved change is visible to its author and other authors until it is decided or withdrawn',
  async ({ deliver }) => {
    const fixture = await deliver(
      { 'Svc:ApprovalWorkflow:Enabled': true, 'Svc:ApprovalWorkflow:CoversRecipientDestinations': false },
      withPages(),
    );
    const { svc, root, projectId, dataSourceId } = fixture;
    const author = await person(fixture, 'Editor');
    const other = await person(fixture, 'Editor');
    const approver = await person(fixture, 'Approver');
    const steps = [{ dataSourceId, sql: 'select 1 as one' }];
    const made = await author.post(queries, { projectId, name: 'Orders', steps });
    const path = `${queries}/${made.body.id}`;
    const { approvalId } = made.body.pendingVersion;
    const { approvalHash } = (await approver.get(`/svc/api/approvals/${approvalId}`)).body;
    const approved = await approver.post(`/svc/api/approvals/${approvalId}/approve`, { approvalHash });
    expect(approved.status, approved.text).toBe(204);
    const waiting = async () => (await root.get(path)).body.pendingVersion;
    const page = `/svc/queries/${made.body.id}`;

    await lookAt(svc.origin, author, async (editor) => {
      await editor.goto(`${page}/edit`);
      await state(editor, 'Saved').waitFor();
      await nameField(editor).fill('Orders, second');
      await saveButton(editor).click();
      await state(editor, 'Waiting for approval').waitFor();
      expect(await state(editor, 'Saved').count()).toBe(0);
      await editor.reload();
      await state(editor, 'Waiting for approval').waitFor();
      expect(await nameField(editor).inputValue()).toBe('Orders, second');
      expect((await waiting()).versionNumber).toBe(2);

      await nameField(editor).fill('Orders, third');
      await saveButton(editor).click();
      const question = editor.getByRole('dialog', { name: 'Replace version 2?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      expect((await waiting()).versionNumber).toBe(2);
      await saveButton(editor).click();
      await question.getByRole('button', { name: 'Withdraw it and save' }).click();
      await state(editor, 'Waiting for approval').waitFor();
      expect((await waiting()).versionNumber).toBe(3);
    });

    const { id: versionId } = await waiting();
    await lookAt(svc.origin, other, async (editor) => {
      await editor.goto(`${page}/edit`);
      const note = editor.getByRole('region', { name: 'Version that waits for approval' });
      await note.getByText('Version 3, saved by', { exact: false }).waitFor();
      expect(await note.getByRole('button').count()).toBe(0);
      expect(await nameField(editor).inputValue()).toBe('Orders');
      await note.getByRole('link', { name: 'See version 3' }).click();
      await editor.getByRole('heading', { name: 'Version 3 of Orders', level: 1 }).waitFor();
    });
    const refused = await other.post(`${path}/versions/${versionId}/withdraw`);
    expect(refused).toMatchObject({ status: 403, body: { code: 'not-your-request' } });
    expect((await waiting()).id).toBe(versionId);

    await lookAt(svc.origin, author, async (editor) => {
      await editor.goto(`${page}/edit`);
      await editor.getByRole('button', { name: 'Withdraw request' }).click();
      await state(editor, 'Not saved').waitFor();
      expect(await nameField(editor).inputValue()).toBe('Orders, third');
      expect(await waiting()).toBeNull();
      await saveButton(editor).click();
      await state(editor, 'Waiting for approval').waitFor();
      await editor.goto(page);
      await editor.getByRole('button', { name: 'Withdraw request' }).click();
      await editor.getByRole('button', { name: 'Withdraw request' }).waitFor({ state: 'detached' });
    });
    expect((await root.get(path)).body).toMatchObject({
      name: 'Orders',
      versionNumber: 1,
      pendingVersion: null,
    });

    const again = await author.put(path, { name: 'Orders, fifth', steps });
    const { id } = again.body.pendingVersion;
    const withdrawn = await author.post(`${path}/versions/${id}/withdraw`);
    expect(withdrawn).toMatchObject({ status: 200, body: { versionNumber: 1, pendingVersion: null } });
  },
  inBrowser,
);
