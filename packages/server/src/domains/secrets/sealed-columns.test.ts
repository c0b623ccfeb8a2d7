import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn } from '@svc/testkit/people/people.ts';
import { approvalsOn, approveRecipient } from '@svc/testkit/runs/approve.ts';
import { evaluateNow } from '@svc/testkit/runs/evaluate.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { encryptionKey, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyRing, seal, systemRandomness } from '../../platform/crypto/index.ts';
import { findSealedColumns, nameOf } from '../../platform/secrets/index.ts';

const oldKey = encryptionKey;
const newKey = 'the-next-encryption-key-of-the-tests-0123456789';
const noWorkers = { 'Svc:Jobs:Workers': 0 };

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: { ...approvalsOn, 'Svc:LLM:TrustedHosts': ['127.0.0.1'], 'Svc:LLM:KeepsContent': true },
    svc: {
      email: async () => {
        throw new Error('mailbox full');
      },
    },
  });
});
afterAll(() => fixture.close());

/** Stores a value of every kind that the service seals, as users do. */
async function sealOneOfEach(): Promise<{ runId: number; rememberingId: number }> {
  const approver = await fixture.person('approver', 'Approver');
  const webhook = await fixture.make('/svc/api/recipients', {
    notificationType: 'Webhook',
    name: 'Signed hook',
    destination: `${fixture.sink.url}/sealed`,
    customHeaders: { Authorization: 'Bearer planted' },
  });
  await approveRecipient(approver, webhook.id);
  expect((await fixture.root.post(`/svc/api/recipients/${webhook.id}/signing-secrets`)).status).toBe(201);
  const mail = await fixture.make('/svc/api/recipients', {
    notificationType: 'Email',
    name: 'Full mailbox',
    destination: 'anna@example.org',
  });
  await approveRecipient(approver, mail.id);
  // The mail fails, so that the message and the file of the run are stored.
  const subscription = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: [mail.id],
    notificationTrigger: 'Always',
    includeAttachment: true,
    attachmentFormat: 'Csv',
  });
  const run = await fixture.runNow(subscription.id);
  expect(run).toMatchObject({ status: 'Failed', isMessageKept: true });
  const place = { table: 'run_messages', column: 'message_sealed', rowId: `${run.id}/1` };
  await fixture.svc.database.query(
    `insert into svc.run_messages (run_id, run_due_at, no, recipient_id, message_sealed, row_count)
     select id, due_at, 1, $2, $3, 1 from svc.runs where id = $1`,
    [run.id, mail.id, seal(createKeyRing({ encryptionKey: oldKey }), '{}', place, systemRandomness)],
  );
  await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  const contract = await fixture.make('/svc/api/data-quality/contracts', {
    projectId: fixture.projectId,
    dataSourceId: fixture.sourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Sealed',
    rules: [{ name: 'Small', type: 'Range', columns: ['total'], config: { max: 0 } }],
  });
  await evaluateNow(fixture.root, contract.id);
  const repository = await fixture.make(`/svc/api/projects/${fixture.projectId}/repositories`, {
    url: 'https://git.example.org/shop.git',
  });
  const { status } = await fixture.root.put(`/svc/api/projects/repositories/${repository.id}/token`, {
    token: 'of-a-repository',
  });
  expect(status).toBe(204);
  const llm = await fixture.root.put('/svc/api/admin-settings', {
    llmConnection: {
      provider: 'OpenAi',
      endpoint: 'http://127.0.0.1:9871/v1',
      model: 'm',
      apiKey: 'of-a-language-model',
    },
  });
  expect(llm.status).toBe(200);
  // The model does not answer, but the request is stored.
  expect((await fixture.root.post('/svc/api/admin-settings/test-llm', {})).body.ok).toBe(false);
  await sealAnAnswer();
  const rememberingId = await sealRememberedKeys(mail.id);
  await sealAPlannedAction();
  expect((await sendKeyed(fixture.root)).status).toBe(201);
  expect((await fixture.root.post('/svc/api/definitions/plan', { files: [] })).status).toBe(200);
  // A change that waits in addition to the approved definition.
  const changed = await fixture.root.put(`/svc/api/recipients/${webhook.id}`, {
    notificationType: 'Webhook',
    name: 'Signed hook',
    destination: `${fixture.sink.url}/sealed-elsewhere`,
  });
  expect(changed.status).toBeLessThan(300);
  return { runId: run.id, rememberingId };
}

/** Sends a request with an Idempotency-Key. The service stores the request and its response. */
const sendKeyed = (client: HttpClient) =>
  client.post(
    '/svc/api/projects',
    { name: 'Kept', description: 'Sent twice.' },
    { headers: { 'idempotency-key': 'of-a-project' } },
  );

/** Stores the rows of a question that users have answered, so that no model is needed. */
async function sealAnAnswer(): Promise<void> {
  const { projectId, sourceId: dataSourceId } = fixture;
  const question = 'Which orders are there?';
  const sql = 'select id from orders';
  await fixture.make('/svc/api/eval/golden', { projectId, dataSourceId, question, sql });
  const { id } = await fixture.make('/svc/api/ask/conversations', { projectId });
  const pendingAnswer = await fixture.make(`/svc/api/ask/conversations/${id}/questions`, { question });
  await until('rows of an answer', async () => {
    const { body } = await fixture.root.get(`/svc/api/ask/answers/${pendingAnswer.id}`);
    return body.rows === null ? undefined : body;
  });
}

/** Stores the row keys of a subscription. */
async function sealRememberedKeys(recipientId: number): Promise<number> {
  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: [recipientId],
    notificationTrigger: 'OnRowChange',
    rowMemory: { keyColumns: ['id'], keepsKeys: true },
    routing: { column: 'id', routes: [{ value: '1', recipientId }] },
  });
  await fixture.runNow(id);
  return id;
}

/** Stores the evidence of a planned action, as an AI actor with a language model does. */
async function sealAPlannedAction(): Promise<void> {
  const { projectId, sourceId: dataSourceId } = fixture;
  const actor = await fixture.make('/svc/api/ai-actors', {
    projectId,
    dataSourceId,
    name: 'Watcher',
    instructions: 'Look at the orders.',
  });
  const { database } = fixture.svc;
  const { rows } = await database.query<{ id: number }>(
    `with think as (
       insert into svc.ai_thinks (actor_id, origin, state, finished_at) values ($1, 'Request', 'Completed', now())
       returning id),
     plan as (
       insert into svc.ai_plans (actor_id, think_id, plan_version, plan_hash, barred_user_ids, barred_host_users, expires_at)
       select $1, id, 1, 'hash', '{}', '{}', now() + interval '1 day' from think returning id)
     insert into svc.ai_plan_actions (plan_id, action_order, type, reasoning, definition)
     select id, 1, 'CreateQuery', 'Why.', '{}' from plan returning id`,
    [actor.id],
  );
  const rowId = rows[0]?.id ?? expect.fail('No action was made.');
  const sealed = seal(
    createKeyRing({ encryptionKey: oldKey }),
    '{}',
    { table: 'ai_plan_actions', column: 'sample_sealed', rowId },
    systemRandomness,
  );
  await database.query('update svc.ai_plan_actions set sample_sealed = $2 where id = $1', [rowId, sealed]);
}

test('a rotation encrypts every sealed column of the schema with the new key, and the values still work', async () => {
  const { runId, rememberingId } = await sealOneOfEach();
  const { database } = fixture.svc;
  // This query of the catalogue differs from the query of the rotation.
  const { rows: columns } = await database.query<{ name: string; table: string; column: string }>(
    `select table_name || '.' || column_name as name, table_name as table, column_name as column
     from information_schema.columns where table_schema = 'svc' and column_name like '%sealed%'
       and not (select relispartition from pg_class where oid = format('svc.%I', table_name)::regclass) order by 1`,
  );
  expect((await findSealedColumns(database)).map(nameOf).sort()).toEqual(columns.map(({ name }) => name));
  const keyIds = async () => {
    const idsByColumn: Record<string, string[]> = {};
    for (const { name, table, column } of columns) {
      const { rows } = await database.query<{ id: string }>(
        `select distinct split_part(${column}, '.', 2) as id from svc.${table} where ${column} is not null`,
      );
      idsByColumn[name] = rows.map(({ id }) => id);
    }
    return idsByColumn;
  };
  const under = (key: string) => {
    const { id } = createKeyRing({ encryptionKey: key }).current;
    return Object.fromEntries(columns.map(({ name }) => [name, [id]]));
  };
  // A column without a value would not be tested: seal a value for it above.
  expect(await keyIds()).toEqual(under(oldKey));

  const rotated = await startService({
    on: fixture.svc,
    config: {
      ...approvalsOn,
      ...noWorkers,
      'Svc:EncryptionKey': newKey,
      'Svc:PreviousEncryptionKeys': [oldKey],
    },
  });
  const report = await rotated.svc.rotateSecrets();
  // Remembered rows are converted when their subscription runs. Other sealed values are converted already.
  expect(report).toMatchObject({
    isComplete: false,
    failures: [],
    unresolved: [],
    remembered: [rememberingId],
  });
  expect(await keyIds()).toEqual(under(newKey));
  const { status } = await fixture.root.post(`/svc/api/subscriptions/${rememberingId}/row-memory-reset`);
  expect(status).toBe(204);
  expect(await rotated.svc.rotateSecrets()).toMatchObject({ isComplete: true, failures: [], unresolved: [] });
  await rotated.close();

  const alone = await startService({
    on: fixture.svc,
    config: { ...approvalsOn, ...noWorkers, 'Svc:EncryptionKey': newKey },
  });
  const again = await sendKeyed(await signIn(alone, 'root'));
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(alone.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  await alone.close();
  expect(runId).toBeGreaterThan(0);
});
