import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { restrict } from '@svc/testkit/people/projects.ts';
import { approvalsOn, approveRecipient, changesPath, person } from '@svc/testkit/runs/approve.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { evaluateNow } from '@svc/testkit/runs/evaluate.ts';
import { addRecipient, addSubscription, recipientOf, runNow } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const path = '/svc/api/data-quality/contracts';

/** Creates a table in the watched database and reads its metadata. Returns the body of a contract about the table. */
async function orders({ root, source, projectId, dataSourceId }: DeliveryFixture) {
  await source.sql(`create table orders (id int primary key, status text, total numeric, placed_at timestamptz);
    insert into orders select n, 'open', n, now() from generate_series(1, 10) n`);
  const { status, text } = await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
  expect(status, text).toBe(200);
  return {
    projectId,
    dataSourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Orders',
    rules: [{ name: 'Every order has a status', type: 'NullRate', columns: ['status'] }],
  };
}

const customSql = {
  name: 'Totals add up',
  type: 'CustomSql',
  config: { kind: 'FailingRows', sql: 'select * from orders where total < 0' },
};

scenario(
  ['RT-4.3-42', 'RT-4.3-43', 'RT-4.3-44', 'RT-4.3-45', 'RT-4.3-253', 'RT-2-11', 'ID-1-03'],
  'data contracts can be created, listed, changed and archived with write access and Execute, with custom SQL only by an Admin',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, projectId } = fixture;
    const body = await orders(fixture);
    const editor = await signIn(svc, await addUser(svc, 'quality-editor', ['Editor']));
    const keyOf = async (scope: string): Promise<HttpClient> =>
      svc.client(`Bearer ${(await addKey(editor, { scopes: [scope], projects: [projectId] })).text}`);
    const [readKey, executeKey] = [await keyOf('Read'), await keyOf('Execute')];

    expect((await readKey.post(path, body)).status).toBe(403);
    const made = await executeKey.post(path, body);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      ownerName: 'quality-editor',
      failsOn: 'AnyRule',
      warnScore: 95,
      failScore: 80,
      schedule: { cronExpression: '0 6 * * *' },
    });
    const one = `${path}/${made.body.id}`;
    const [rule] = made.body.rules;
    expect((await readKey.get(path)).body).toMatchObject({
      totalCount: 1,
      items: [{ name: 'Orders', ruleCount: 1 }],
    });

    const changed = { ...body, name: 'All orders', rules: [{ ...rule, severity: 'High' }] };
    expect((await readKey.put(one, changed)).status).toBe(403);
    const saved = await executeKey.put(one, changed);
    expect(saved.body, saved.text).toMatchObject({
      name: 'All orders',
      rules: [{ id: rule.id, severity: 'High' }],
    });

    const custom = { ...changed, rules: [{ ...rule, severity: 'High' }, customSql] };
    for (const client of [editor, executeKey]) expect((await client.put(one, custom)).status).toBe(403);
    expect((await editor.post(path, custom)).status).toBe(403);
    const withSql = await root.put(one, custom);
    expect(withSql.status, withSql.text).toBe(200);
    // An Editor may save a contract with an Admin's unchanged SQL rule, and may change the rest.
    const kept = { ...custom, name: 'Orders again', rules: withSql.body.rules };
    expect((await editor.put(one, kept)).status).toBe(200);
    const [, sqlRule] = withSql.body.rules;
    const turned = { ...sqlRule, config: { ...sqlRule.config, sql: 'select * from secrets' } };
    expect((await editor.put(one, { ...kept, rules: [turned] })).status).toBe(403);

    const userAdmin = await signIn(svc, await addUser(svc, 'quality-admin', ['UserAdmin']));
    const { userId } = (await root.get('/svc/api/auth/me')).read<{ userId: number }>();
    expect((await editor.put(`${one}/owner`, { userId })).status).toBe(403);
    expect((await userAdmin.put(`${one}/owner`, { userId })).status).toBe(204);
    expect((await editor.get(one)).body).toMatchObject({ ownerUserId: userId });

    expect((await readKey.delete(one)).status).toBe(403);
    expect((await executeKey.delete(one)).status).toBe(204);
    expect((await editor.get(one)).status).toBe(404);
  },
);

scenario(
  ['DL-4-17', 'DL-4-18', 'DL-7-08'],
  'a writer of a contract can attach recipients; a user who cannot read the contract cannot redirect its recipients',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, projectId } = fixture;
    const editor = await signIn(svc, await addUser(svc, 'contract-editor', ['Editor']));
    const viewer = await signIn(svc, await addUser(svc, 'contract-viewer', ['Viewer']));
    const keeper = await signIn(svc, await addUser(svc, 'contract-keeper', ['SecurityAdmin']));
    const made = await editor.post(path, await orders(fixture));
    const recipientId = await addRecipient(root, { ...recipientOf.Webhook, name: 'Told' });
    const attach = (client: HttpClient) =>
      client.post(`${path}/${made.body.id}/recipients`, { recipientIds: [recipientId] });
    expect((await attach(viewer)).status).toBe(403);
    const attached = await attach(editor);
    expect(attached.body, attached.text).toMatchObject({ recipients: [{ id: recipientId, name: 'Told' }] });

    await restrict(root, projectId);
    const recipient = `/svc/api/recipients/${recipientId}`;
    const { destination } = (await keeper.get(recipient)).read<{ destination: string }>();
    const same = { notificationType: 'Webhook', name: 'Renamed', destination };
    expect((await keeper.put(recipient, same)).status).toBe(200);
    const turned = { ...same, destination: 'https://evil.example.com/in' };
    const refused = await keeper.put(recipient, turned);
    expect([refused.status, refused.body.code]).toEqual([403, 'recipient-elsewhere']);
    expect((await keeper.put(recipient, { ...same, customHeaders: { Authorization: 'x' } })).status).toBe(
      403,
    );
    const chat = 'https://hooks.slack.com/services/T0/B0/x';
    const another = { ...turned, notificationType: 'ChatBlocks', destination: chat };
    expect((await keeper.put(recipient, another)).status).toBe(403);
    expect((await root.put(recipient, turned)).status).toBe(200);
    await root.delete(`${path}/${made.body.id}/recipients/${recipientId}`);
    expect((await keeper.put(recipient, { ...turned, name: 'Free' })).status).toBe(200);
  },
);

scenario(
  ['DL-3.2-16', 'DL-3.2-250'],
  'attaching an existing recipient to a subscription or a contract needs no approval',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    const { root, addQuery } = fixture;
    const approver = await person(fixture, 'Approver');
    const recipientId = await addRecipient(root, recipientOf.Webhook);
    await approveRecipient(approver, recipientId);
    const waiting = async () => (await approver.get(`${changesPath}?status=Pending`)).body.totalCount;
    expect(await waiting()).toBe(0);
    await addSubscription(root, { queryId: await addQuery('select 1 as one'), recipientIds: [recipientId] });
    const made = await root.post(path, { ...(await orders(fixture)), recipientIds: [recipientId] });
    expect(made.body.recipients, made.text).toMatchObject([{ id: recipientId, state: 'Approved' }]);
    expect(await waiting()).toBe(0);
  },
);

scenario(
  ['RT-4.3-250', 'RT-4.3-251', 'RT-4.3-252', 'RT-2-250'],
  'a contract can be evaluated immediately, its evaluations can be listed and read, and the overview is updated',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const body = await orders(fixture);
    const overview = async () => (await root.get('/svc/api/data-quality/overview')).body;
    const open = {
      name: 'All are paid',
      type: 'AcceptedValues',
      columns: ['status'],
      config: { values: ['paid'] },
    };
    const made = await root.post(path, { ...body, rules: [...body.rules, open] });
    expect(await overview()).toMatchObject({
      contractCount: 1,
      unevaluatedCount: 1,
      tables: [{ score: null }],
    });

    const ended = await evaluateNow(root, made.body.id);
    expect(ended).toMatchObject({ status: 'Failed', score: 50, totalRows: 10 });
    expect(ended.results).toMatchObject([
      { name: 'Every order has a status', outcome: 'Passed', failing: 0, sample: null },
      { name: 'All are paid', outcome: 'Failed', failing: 10, sample: { rows: { length: 10 } } },
    ]);
    const listed = await root.get(`${path}/${made.body.id}/evaluations`);
    expect(listed.body).toMatchObject({
      totalCount: 1,
      items: [{ id: ended.id, status: 'Failed', score: 50 }],
    });
    expect(await overview()).toMatchObject({
      contractCount: 1,
      failedCount: 1,
      unevaluatedCount: 0,
      tables: [{ schemaName: 'public', tableName: 'orders', contractCount: 1, score: 50 }],
    });
  },
);

scenario(
  ['RT-4.3-1210', 'RT-4.3-1211', 'RT-4.3-1213'],
  'a failed rule of any severity fails its contract, and each failed rule has rows or a reason',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, source } = fixture;
    const body = await orders(fixture);
    await source.sql(`update orders set status = null where id = 1`);
    const rules = (severity: string) => [
      { ...body.rules[0], severity },
      { name: 'Totals', type: 'Range', columns: ['total'], config: { min: 0 } },
    ];
    const evaluated = async (more: Readonly<Record<string, unknown>>) =>
      evaluateNow(root, (await root.post(path, { ...body, ...more })).body.id);
    for (const severity of ['Critical', 'High', 'Medium', 'Low'])
      expect(await evaluated({ rules: rules(severity) }), severity).toMatchObject({
        status: 'Failed',
        score: 95,
        results: [{ outcome: 'Failed', sample: { rows: { length: 1 } }, sampleReason: null }, {}],
      });
    expect(await evaluated({ rules: rules('Medium'), failsOn: 'Score' })).toMatchObject({ status: 'Warned' });
    const volume = { name: 'Enough', type: 'Volume', config: { minRows: 99 } };
    expect(await evaluated({ rules: [volume] })).toMatchObject({
      results: [{ outcome: 'Failed', sample: null, sampleReason: expect.stringMatching(/\.$/) }],
    });
    expect(await evaluated({ keepsSamples: false })).toMatchObject({
      results: [{ outcome: 'Failed', sample: null, sampleReason: expect.stringMatching(/\.$/) }],
    });
  },
);

scenario(
  ['RT-4.3-1214', 'RT-4.3-1215'],
  'a document can be imported before its table exists, and an unknown member of a rule is refused by name',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, source, projectId, dataSourceId } = fixture;
    const body = await orders(fixture);
    const document = JSON.stringify({
      apiVersion: 'v3.1.0',
      kind: 'DataContract',
      id: 'early',
      version: '1.0.0',
      status: 'draft',
      schema: [{ name: 'arrivals', quality: [{ metric: 'rowCount', mustBeGreaterThan: 0 }] }],
    });
    const imported = await root.post(`${path}/import`, { document, projectId, dataSourceId });
    expect(imported.body.contracts, imported.text).toMatchObject([{ tableExists: false }]);
    const [{ id }] = imported.body.contracts;
    expect(await evaluateNow(root, id)).toMatchObject({ status: 'Error', reason: 'TableUnknown' });
    await source.sql('create table arrivals (id int); insert into arrivals values (1)');
    expect(await evaluateNow(root, id)).toMatchObject({ status: 'Passed', reason: null });

    const refused = await root.post(path, { ...body, rules: [{ ...body.rules[0], column: 'status' }] });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([
      { path: '/rules/0/column', message: expect.stringContaining('columns') },
    ]);
  },
);

scenario(
  ['DL-1-03'],
  'a failed scheduled evaluation notifies recipients that subscriptions also use, and appears in the history',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Subscriptions:MinimumIntervalSeconds': 1 });
    const { root, sink, addQuery } = fixture;
    const recipientId = await addRecipient(root, {
      notificationType: 'Webhook',
      destination: sink.urlOf('/told'),
    });
    const subscription = await addSubscription(root, {
      queryId: await addQuery('select 1 as one'),
      recipientIds: [recipientId],
    });
    expect((await runNow(root, subscription)).status).toBe('Sent');
    const body = await orders(fixture);
    const rows = { name: 'Enough orders', type: 'Volume', config: { minRows: 1_000 } };
    const made = await root.post(path, {
      ...body,
      name: 'Enough',
      rules: [rows],
      recipientIds: [recipientId],
      cronExpression: '* * * * * *',
    });
    expect(made.status, made.text).toBe(201);
    const ofContract = async () =>
      (await root.get('/svc/api/notifications?pageSize=200')).body.items.find(
        (run: { contractId: number | null; finishedAt: string | null }) =>
          run.contractId === made.body.id && run.finishedAt !== null,
      );
    const run = await until('the alert', ofContract);
    // Only a scheduled check sends messages; a check by hand sends none.
    await root.delete(`${path}/${made.body.id}`);
    expect(run).toMatchObject({ status: 'Sent', queryName: 'Enough', subscriptionId: null, resultCount: 1 });
    const [, alert] = sink.received.map(({ text }) => JSON.parse(text));
    expect(JSON.stringify(alert)).toContain('Enough orders');
    expect(alert).not.toHaveProperty('subscriptionId');
    const detail = await root.get(`/svc/api/notifications/${run.id}`);
    expect(detail.body).toMatchObject({ deliveries: [{ recipientId, state: 'Sent' }] });
  },
);
