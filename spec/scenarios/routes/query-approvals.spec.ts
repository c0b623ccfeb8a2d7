import { person } from '@svc/testkit/runs/approve.ts';
import { addRecipient } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const approvals = '/svc/api/approvals';

scenario(
  ['RT-4.3-46'],
  'waiting queries and changes of recipients can be listed, read, approved and rejected over REST',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:ApprovalWorkflow:Enabled': true });
    const { root, projectId, dataSourceId } = fixture;
    const approver = await person(fixture, 'Approver');
    const save = async (name: string) => {
      const steps = [{ dataSourceId, sql: 'select 1 as one' }];
      const { status, body } = await root.post('/svc/api/queries', { projectId, name, steps });
      expect(status).toBe(202);
      return { id: body.id, approvalId: body.pendingVersion.approvalId };
    };
    const good = await save('Good');
    const bad = await save('Bad');
    const pending = async () =>
      (await approver.get(`${approvals}/pending?kind=Query&sort=targetName`)).body.items.map(
        ({ targetName }: { targetName: string }) => targetName,
      );
    expect((await pending()).toSorted()).toEqual(['Bad', 'Good']);

    const { body } = await approver.get(`${approvals}/${good.approvalId}`);
    expect(body).toMatchObject({ targetId: good.id, proposed: { steps: [{ sql: 'select 1 as one' }] } });
    const { approvalHash } = body;
    const approved = await approver.post(`${approvals}/${good.approvalId}/approve`, { approvalHash });
    expect(approved.status, approved.text).toBe(204);
    const rejected = await approver.post(`${approvals}/${bad.approvalId}/reject`, { comment: 'No.' });
    expect(rejected.status, rejected.text).toBe(204);
    expect(await pending()).toEqual([]);
    expect((await root.get(`/svc/api/queries/${good.id}`)).body).toMatchObject({ versionNumber: 1 });
    expect((await root.get(`/svc/api/queries/${bad.id}`)).body).toMatchObject({ versionNumber: null });

    const hook = { notificationType: 'Webhook' as const, destination: fixture.sink.urlOf('/one') };
    const recipients = [await addRecipient(root, hook), await addRecipient(root, hook)];
    const changes = `${approvals}/changes`;
    const waiting = async () => (await approver.get(`${changes}?kind=Recipient&status=Pending`)).body.items;
    expect((await waiting()).map(({ targetId }: { targetId: number }) => targetId).toSorted()).toEqual(
      recipients,
    );
    const [first, second] = await waiting();
    const { changeHash } = (await approver.get(`${changes}/${first.id}`)).body;
    expect((await approver.post(`${changes}/${first.id}/approve`, { changeHash })).status).toBe(204);
    expect((await approver.post(`${changes}/${second.id}/reject`, { comment: 'No.' })).status).toBe(204);
    expect(await waiting()).toEqual([]);
  },
);
