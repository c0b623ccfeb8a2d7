import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { approvalsOn, approve, person } from '@svc/testkit/runs/approve.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const hook = (fixture: DeliveryFixture, path: string) => ({
  notificationType: 'Webhook' as const,
  destination: fixture.sink.url + path,
});

scenario(
  ['DL-5.6-04', 'DL-5.6-06', 'DL-5.6-07'],
  'the approved hash is keyed, matches under an earlier key, and blocks a destination that does not match',
  async ({ deliver }) => {
    const fixture = await deliver({ ...approvalsOn, 'Svc:Jobs:Workers': 0 });
    const { root, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const id = await addRecipient(root, hook(fixture, '/in'));
    await approve(approver, id);
    const hashOf = async () =>
      (
        await svc.sql<{ hash: string }>('select approved_hash as hash from svc.recipients where id = $1', [
          id,
        ])
      )[0]?.hash ?? '';
    expect(await hashOf()).toMatch(/^v1\.[0-9a-f]{12}\.[0-9a-f]{64}$/);
    const queryId = await fixture.addQuery('select 1 as one');
    const subscription = await addSubscription(root, { queryId, recipientIds: [id] });

    const key = encryptionKey;
    const newKey = 'another-encryption-key-0123456789-0123456789';
    const rotated = await svc.replica({
      'Svc:Jobs:Workers': 2,
      'Svc:EncryptionKey': newKey,
      'Svc:PreviousEncryptionKeys': [key],
    });
    const rootThere = await signIn(rotated, superAdmin);
    expect((await runNow(rootThere, subscription)).status).toBe('Sent');
    // A write to the database that bypasses the service does not redirect messages.
    await rotated.sql(`update svc.recipients r set destination_sealed = $2 where id = $1`, [
      id,
      `${fixture.sink.url}/elsewhere`,
    ]);
    const skipped = await runNow(rootThere, subscription);
    expect(skipped.status).toBe('Skipped');
    expect(skipped.deliveries).toMatchObject([{ state: 'Skipped' }]);
    await rotated.sql('update svc.recipients set archived_at = now() where id = $1', [id]);
    const gone = await runNow(rootThere, subscription);
    expect([gone.status, gone.deliveries]).toEqual(['Skipped', []]);
    expect(fixture.sink.received.map(({ path }) => path)).toEqual(['/in']);
  },
);

scenario(
  ['DL-5.6-05', 'DL-5.6-11'],
  'every message to a recipient is checked against its approval; a mail to the owner of a run is not',
  async ({ deliver }) => {
    const mails: { to: string }[] = [];
    const fixture = await deliver(approvalsOn, { email: async (mail) => void mails.push(mail) });
    const { root, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const address = 'root@example.org';
    await svc.sql('update svc.users set email = $1', [address]);
    const id = await addRecipient(root, { notificationType: 'Email', destination: address });
    const failing = await fixture.addQuery('select * from nowhere');
    const working = await fixture.addQuery('select 1 as one');
    const subscription = (queryId: number) => addSubscription(root, { queryId, recipientIds: [id] });
    // The recipient waits for approval, so no mail is sent to its address.
    const sound = await subscription(working);
    expect((await root.post(`/svc/api/subscriptions/${sound}/test-run`)).status).toBe(409);
    expect(mails).toEqual([]);
    // The recipient is approved, then SQL changes its destination: the next run skips it.
    await approve(approver, id);
    const sent = await runNow(root, sound);
    expect([sent.status, mails.length]).toEqual(['Sent', 1]);
    await svc.sql(`update svc.recipients set destination_sealed = 'elsewhere@example.org' where id = $1`, [
      id,
    ]);
    expect(await runNow(root, sound)).toMatchObject({
      status: 'Skipped',
      deliveries: [{ state: 'Skipped' }],
    });
    expect(mails).toHaveLength(1);
    // The notice about a failed run reaches its owner at the same address. An owner needs no approval.
    await approve(approver, await addRecipient(root, hook(fixture, '/unused')));
    const failed = await runNow(root, await addSubscription(root, { queryId: failing, recipientIds: [id] }));
    expect(failed.status).toBe('Failed');
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([address, address]);
  },
);
