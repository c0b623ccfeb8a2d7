import {
  approvalsOn,
  approve,
  type ChangeDetail,
  changesPath,
  person,
  waitingChange,
} from '@svc/testkit/runs/approve.ts';
import { addRecipient } from '@svc/testkit/runs/subscribe.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { hook, saveRecipient } from '../support/webhook-recipient.ts';

scenario(
  ['DL-5.5-01', 'DL-5.5-02', 'DL-5.5-03', 'DL-5.5-04', 'DL-5.5-05', 'DL-5.5-06'],
  'reviewers see the type of a recipient and the parts of its destination that are not secret',
  async ({ deliver }) => {
    const fixture = await deliver(
      { ...approvalsOn, 'Svc:Notifications:AllowedHosts:IssueTracker': ['tracker.example.com'] },
      { email: async () => undefined },
    );
    const { root } = fixture;
    const approver = await person(fixture, 'Approver');
    const partsOf = (change: ChangeDetail | undefined) =>
      Object.fromEntries(change?.after.parts.map(({ label, value }) => [label, value]) ?? []);
    const seen = async (notificationType: string, destination: string) => {
      const type = notificationType as 'Webhook';
      const id = await addRecipient(root, { notificationType: type, destination });
      const change = await waitingChange(approver, id);
      expect(change?.after.notificationType).toBe(notificationType);
      expect(JSON.stringify(change)).not.toMatch(/topsecret/);
      return partsOf(change);
    };
    const webhook = await seen(
      'Webhook',
      'https://hooks.example.com:8443/topsecret1/topsecret2?token=topsecret3&topsecret5#topsecret4',
    );
    expect(Object.values(webhook).join(' ')).toMatch(/https.*hooks\.example\.com.*8443/);
    expect(webhook['Path']).toMatch(/^\/\*+\/\*+$/);
    expect(webhook['Query']).toMatch(/^token=\*+&\*+$/);
    expect(webhook['Fragment']).toMatch(/^\*+$/);
    const blocks = await seen(
      'ChatBlocks',
      'https://hooks.slack.com/services/topsecretT/topsecretB/topsecretX',
    );
    expect(blocks['Path']).toMatch(/^\/services\/\*+\/\*+\/\*+$/);
    const cards = await seen(
      'ChatCards',
      'https://prod-01.westeurope.logic.azure.com/workflows/topsecretid/triggers/manual/paths/invoke?sig=topsecret',
    );
    expect(cards['Path']).toMatch(/^\/workflows\/\*+\/triggers\/manual\/paths\/invoke$/);
    expect(Object.values(await seen('Email', 'anna@example.org'))).toEqual(['anna@example.org']);
    expect(
      await seen('IssueTracker', 'https://tracker.example.com;OPS;bot@example.org;topsecrettoken'),
    ).toEqual({
      Site: 'https://tracker.example.com',
      Project: 'OPS',
      Account: 'bot@example.org',
    });

    const id = await addRecipient(root, { notificationType: 'Email', destination: 'anna@example.org' });
    await approve(approver, id);
    await saveRecipient(root, id, {
      notificationType: 'Webhook',
      destination: 'https://hooks.example.com/in',
    });
    const change = await waitingChange(approver, id);
    expect([change?.before?.notificationType, change?.after.notificationType]).toEqual(['Email', 'Webhook']);

    // No recipientsPath accepts user info in a URL, so SQL stores it.
    await fixture.svc.sql('update svc.recipients set destination_sealed = $2 where id = $1', [
      id,
      'https://topsecretname:topsecretword@hooks.example.com/topsecretpath',
    ]);
    const withUserInfo = await waitingChange(approver, id);
    expect(JSON.stringify(withUserInfo)).not.toMatch(/topsecret/);
    expect(partsOf(withUserInfo)).toEqual({
      Scheme: 'https',
      Host: 'hooks.example.com',
      Port: '443',
      'User info': expect.stringMatching(/^\*+$/),
      Path: expect.stringMatching(/^\/\*+$/),
    });
  },
);

scenario(
  ['DL-5.5-07', 'DL-5.5-08', 'DL-5.5-09', 'DL-8-07'],
  'a change request shows header values and the definition as fingerprints that depend on the key',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root, svc } = fixture;
    const approver = await person(fixture, 'Approver');
    const customHeaders = { 'X-Api-Key': 'topsecret-one', Authorization: 'topsecret-two' };
    const id = await addRecipient(root, { ...hook(fixture, '/in'), customHeaders });
    await approve(approver, id);
    await saveRecipient(root, id, {
      customHeaders: { 'X-Api-Key': 'topsecret-three', Authorization: '********' },
    });
    const change = await waitingChange(approver, id);
    const hex = /^[0-9a-f]{12}$/;
    expect(change?.before?.fingerprint).toMatch(hex);
    expect(change?.after.fingerprint).toMatch(hex);
    expect(change?.before?.fingerprint).not.toBe(change?.after.fingerprint);
    expect(change?.before?.headers.map(({ name }) => name)).toEqual(['Authorization', 'X-Api-Key']);
    for (const { fingerprint } of change?.after.headers ?? []) expect(fingerprint).toMatch(hex);
    expect(change?.after.headers[0]).toEqual(change?.before?.headers[0]);
    expect(change?.after.headers[1]?.fingerprint).not.toBe(change?.before?.headers[1]?.fingerprint);
    expect(JSON.stringify(change)).not.toMatch(/topsecret/);

    const rotated = await svc.replica({
      'Svc:EncryptionKey': 'another-encryption-key-0123456789-0123456789',
      'Svc:PreviousEncryptionKeys': [encryptionKey],
    });
    const elsewhere = await waitingChange(await person({ svc: rotated }, 'Approver'), id);
    expect(elsewhere?.after.fingerprint).toMatch(hex);
    expect(elsewhere?.after.fingerprint).not.toBe(change?.after.fingerprint);
  },
);

scenario(
  ['DL-5.5-10', 'RT-4.3-47'],
  'only Approvers and Admins can see change requests',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root } = fixture;
    const id = await addRecipient(root, hook(fixture, '/in'));
    const change = await waitingChange(root, id);
    for (const role of ['Approver', 'Admin'] as const) {
      const client = await person(fixture, role);
      expect((await client.get(changesPath)).body).toMatchObject({ totalCount: 1 });
      expect((await client.get(`${changesPath}/${change?.id}`)).status).toBe(200);
      expect((await client.get(`${changesPath}/999`)).status).toBe(404);
    }
    for (const role of ['Viewer', 'Editor', 'SecurityAdmin', 'Auditor', 'UserAdmin'] as const) {
      const client = await person(fixture, role);
      expect((await client.get(changesPath)).status).toBe(403);
      expect((await client.get(`${changesPath}/${change?.id}`)).status).toBe(403);
    }
  },
);
