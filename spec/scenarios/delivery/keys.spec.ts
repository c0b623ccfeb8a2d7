import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { approvalsOn, approve, person, waitingChange } from '@svc/testkit/runs/approve.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const oldKey = encryptionKey;
const newKey = 'another-encryption-key-0123456789-0123456789';
const route = '/svc/api/recipients';

const redirect = async (client: HttpClient, id: number, destination: string) => {
  const { name } = (await client.get(`${route}/${id}`)).read<{ name: string }>();
  const answer = await client.put(`${route}/${id}`, { notificationType: 'Webhook', name, destination });
  if (answer.status !== 200) throw new Error(answer.text);
};

scenario(
  ['DL-5.6-08', 'DL-5.6-09', 'DL-5.6-10'],
  're-encryption converts secrets and hashes to the current key, and reports what still needs an earlier key',
  async ({ deliver }) => {
    const fixture = await deliver({ ...approvalsOn, 'Svc:Jobs:Workers': 0 });
    const { root, sink, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const add = async (path: string) => {
      const id = await addRecipient(root, {
        notificationType: 'Webhook',
        destination: sink.url + path,
        customHeaders: { Authorization: 'Bearer abc' },
      });
      await approve(approver, id);
      return id;
    };
    const [kept, waiting, decided, putBack] = [
      await add('/kept'),
      await add('/waiting'),
      await add('/decided'),
      await add('/put-back'),
    ];
    for (const id of [waiting, decided, putBack]) await redirect(root, id, `${sink.url}/changed-${id}`);
    // Makes the approved copies of these two recipients unreadable.
    await svc.sql(
      `update svc.recipients set approved_sealed = overlay(approved_sealed placing 'AAAA' from 40) where id = any($1)`,
      [[decided, putBack]],
    );

    const rotated = await svc.replica({
      'Svc:Jobs:Workers': 2,
      'Svc:EncryptionKey': newKey,
      'Svc:PreviousEncryptionKeys': [oldKey],
    });
    const first = await rotated.rotateSecrets();
    expect(first).toMatchObject({ isComplete: false, unresolved: [{ id: decided }, { id: putBack }] });
    expect(first.failures.map(({ place, rowId }) => [place, rowId])).toEqual([
      ['recipients.approved_sealed', String(decided)],
      ['recipients.approved_sealed', String(putBack)],
    ]);
    const hashes = await svc.sql<{ hash: string }>(
      `select approved_hash as hash from svc.recipients where id = any($1)
       union all select proposed_hash from svc.approval_requests where status = 'Pending'`,
      [[kept, waiting]],
    );
    expect(hashes).toHaveLength(5);
    for (const { hash } of hashes) expect(hash).toMatch(new RegExp(`^v1\\.${first.keyId}\\.`));

    const rootThere = await signIn(rotated, superAdmin);
    const approverThere = await person({ svc: rotated }, 'Approver');
    expect((await waitingChange(approverThere, decided))?.before?.isReadable).toBe(false);
    expect((await approve(approverThere, decided, 'Asked.')).status).toBe(204);
    await redirect(rootThere, putBack, `${sink.url}/put-back`);
    expect((await rootThere.get(`${route}/${putBack}`)).body).toMatchObject({ state: 'Approved' });
    const second = await rotated.rotateSecrets();
    expect(second).toMatchObject({ isComplete: true, failures: [], unresolved: [] });
    expect((await approve(approverThere, waiting, 'Asked.')).status).toBe(204);
    await rotated.close();

    const alone = await svc.replica({ 'Svc:Jobs:Workers': 2, 'Svc:EncryptionKey': newKey });
    const rootAlone = await signIn(alone, superAdmin);
    const subscription = await addSubscription(rootAlone, {
      queryId: await addQuery(rootAlone, fixture.projectId, fixture.dataSourceId, 'select 1 as one'),
      recipientIds: [kept, waiting, decided, putBack],
    });
    expect((await runNow(rootAlone, subscription)).status).toBe('Sent');
    expect(sink.received.map(({ path }) => path).toSorted()).toEqual(
      [`/changed-${decided}`, `/changed-${waiting}`, '/kept', '/put-back'].toSorted(),
    );
  },
);
