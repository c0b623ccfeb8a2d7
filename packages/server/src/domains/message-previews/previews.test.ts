import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({ svc: { email: async () => undefined } });
});
afterAll(() => fixture.close());

type Shown = {
  readonly notificationType: string;
  readonly body: string;
  readonly findings: readonly { readonly code: string }[];
};

let count = 0;
const recipient = async (notificationType: string, more: Readonly<Record<string, unknown>> = {}) => {
  count += 1;
  const destination =
    notificationType === 'Email'
      ? 'anna@example.org'
      : notificationType === 'IssueTracker'
        ? `${fixture.sink.url};OPS;bot@example.org;tracker-token`
        : `${fixture.sink.url}/preview/${count}`;
  const input = { notificationType, name: `Preview ${count}`, destination, ...more };
  return (await fixture.make('/svc/api/recipients', input)).id;
};
const previewOf = (id: number, source: string, client = fixture.root) =>
  client.post(`/svc/api/subscriptions/${id}/message-preview`, { source });

describe('a message preview', () => {
  test('of a dry run contains the message of each channel, and creates no run', async () => {
    const recipientIds = [
      await recipient('Email'),
      await recipient('ChatBlocks'),
      await recipient('ChatCards'),
      await recipient('IssueTracker'),
      await recipient('Webhook', { customHeaders: { 'X-Api-Key': 'key-of-the-hook' } }),
    ];
    await fixture.root.post(`/svc/api/recipients/${recipientIds[4]}/signing-secrets`);
    const queryId = await fixture.addQuery('select id, email, total, 1 as d, 2 as e, 3 as f from orders');
    const { id } = await fixture.addSubscription({
      queryId,
      recipientIds,
      notificationTrigger: 'Always',
      includeAttachment: true,
      attachmentFormat: 'Xlsx',
      maxRows: 2,
    });
    const before = fixture.sink.received.length;
    const answer = await previewOf(id, 'DryRun');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        source: 'DryRun',
        notificationId: null,
        outcome: 'Notify',
        totalRows: 3,
        attachment: { name: expect.stringMatching(/\.xlsx$/), rowCount: 2 },
      },
    });
    expect(fixture.sink.received).toHaveLength(before);
    expect(answer.text).not.toContain('@example.org');
    for (const secret of ['key-of-the-hook', 'tracker-token', 'whsec_'])
      expect(answer.text).not.toContain(secret);
    const by = new Map(
      answer.body.payloads.map((payload: Shown): [string, Shown] => [payload.notificationType, payload]),
    ) as ReadonlyMap<string, Shown>;
    expect(by.get('Email')).toMatchObject({
      contentType: 'text/html',
      subject: expect.stringContaining('[Svc]'),
    });
    expect(by.get('IssueTracker')?.body).toContain('"OPS"');
    expect(by.get('Webhook')).toMatchObject({ isSigned: true, headerNames: ['X-Api-Key'] });
    expect(JSON.parse(by.get('Webhook')?.body ?? '')).toMatchObject({
      totalRecords: 3,
      subscriptionId: id,
    });
    const codes = (type: string) => by.get(type)?.findings.map(({ code }) => code);
    expect(codes('ChatBlocks')).toEqual(['RowsCut', 'ColumnsCut', 'AttachmentNotSent']);
    expect(codes('Email')).toEqual(['RowsCut']);
    expect(
      (await fixture.svc.database.query('select from svc.runs where subscription_id = $1', [id])).rowCount,
    ).toBe(0);
  });

  test('of the last run is identical to the body that was sent', async () => {
    const queryId = await fixture.addQuery('select id from orders order by id');
    const recipientId = await recipient('Webhook');
    const { id } = await fixture.addSubscription({
      queryId,
      recipientIds: [recipientId],
      notificationTrigger: 'Always',
    });
    expect((await previewOf(id, 'LastRun')).body).toMatchObject({ status: 409, code: 'no-message' });
    const run = await fixture.runNow(id);
    const { body } = await previewOf(id, 'LastRun');
    expect(body).toMatchObject({ notificationId: run.id, source: 'LastRun' });
    const sent = fixture.sink.received.find(({ path }) => path === `/preview/${count}`);
    expect(body.payloads[0].body).toBe(sent?.text);
  });

  test('reports that a run would have no results, and which recipient has an unreadable destination', async () => {
    const queryId = await fixture.addQuery('select id from orders where false');
    const recipientIds = [await recipient('Webhook')];
    await fixture.svc.database.query(
      `update svc.recipients set destination_sealed = 'v1.000000000000.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA' where id = $1`,
      recipientIds,
    );
    const { id } = await fixture.addSubscription({ queryId, recipientIds });
    const { body } = await previewOf(id, 'DryRun');
    expect(body).toMatchObject({ outcome: 'NoResults', totalRows: 0 });
    expect(body.payloads[0].recipients[0].problem).toContain('Re-enter destination');
  });

  test('does not show a body from a template to a caller who cannot see templates', async () => {
    const queryId = await fixture.addQuery('select id from orders');
    const recipientIds = [await recipient('Webhook', { bodyTemplate: '{"routing":"r0uting-key"}' })];
    const { id } = await fixture.addSubscription({ queryId, recipientIds });
    const viewer = await fixture.person('previewer', 'Viewer');
    const seen = await previewOf(id, 'DryRun', viewer);
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain('r0uting-key');
    expect(seen.body.payloads[0]).toMatchObject({ body: null, bytes: null, isDefault: false });
    expect((await previewOf(id, 'DryRun')).body.payloads[0].body).toBe('{"routing":"r0uting-key"}');
  });

  test('of a query that fails contains the message of the database', async () => {
    const queryId = await fixture.addQuery('select nothing_like_it from orders');
    const { id } = await fixture.addSubscription({ queryId, recipientIds: [await recipient('Webhook')] });
    const answer = await previewOf(id, 'DryRun');
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('nothing_like_it');
  });
});

describe('a template preview', () => {
  const preview = async (notificationType: string, bodyTemplate: string | null) =>
    (await fixture.root.post('/svc/api/recipients/template-preview', { notificationType, bodyTemplate }))
      .body;

  test('shows the result for a sample, and the problems of the template', async () => {
    expect(await preview('Webhook', '{"n": {{TotalRecords}}}')).toMatchObject({
      body: '{"n": 42}',
      isDefault: false,
      findings: [],
    });
    const codesOf = async (type: string, template: string) =>
      (await preview(type, template)).findings.map(({ code }: { code: string }) => code);
    expect(await codesOf('Webhook', '{"name": {{SubscriptionName}}, "x": "{{Nonsense}}"}')).toEqual([
      'UnknownPlaceholders',
      'TemplateNotJson',
    ]);
    expect(await codesOf('ChatBlocks', 'no JSON')).toEqual(['TemplateNotUsed']);
    const blocks = Array.from({ length: 51 }, () => ({ type: 'divider' }));
    expect(await codesOf('ChatBlocks', JSON.stringify({ blocks }))).toEqual(['TooLarge']);
    expect(await codesOf('ChatCards', JSON.stringify({ text: 'x'.repeat(30_000) }))).toEqual(['TooLarge']);
    expect(await codesOf('Webhook', 'x'.repeat(70_000))).toEqual(['TemplateNotUsed']);
  });

  test('without a template is the default message of the channel', async () => {
    expect(await preview('ChatCards', null)).toMatchObject({
      isDefault: true,
      contentType: 'application/json',
    });
  });
});
