import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { contentDays, dropOldContents } from './index.ts';

const path = '/svc/api/llm/calls';
const key = 'sk-planted-key-0123456789abcdef';
const wish = 'Write planted-wish-of-a-person.';
const answer = '{"content":"planted-answer-of-a-model"}';
let provider: LlmProviderProcess;
let fixture: RunFixture;

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startRunFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:ApiKey': key,
      'Svc:LLM:KeepsContent': true,
    },
  });
});
afterAll(async () => {
  await fixture?.close();
  await provider?.close();
});

const instruct = () =>
  fixture.root.post(`/svc/api/projects/${fixture.projectId}/documentation/DataModel/instruct`, {
    instruction: wish,
    content: 'planted-text-of-a-section',
  });
const calls = async () => (await fixture.root.get(path)).body.items;
const contentOf = (id: number) => fixture.root.get(`${path}/${id}/content`);

test('stored content is encrypted and never logged, and each access to it is audited', async () => {
  await provider.script(answer, answer);
  expect((await instruct()).status).toBe(200);
  const [call] = await calls();
  expect(call).toMatchObject({ purpose: 'Instruction', isContentKept: true, projectId: fixture.projectId });
  const { status, body } = await contentOf(call.id);
  expect([status, body]).toMatchObject([200, { callId: call.id, answer }]);
  expect(JSON.stringify(body.data)).toContain('planted-text-of-a-section');
  const { rows } = await fixture.svc.database.query(`select content_sealed as sealed from svc.llm_contents`);
  expect(rows).toMatchObject([{ sealed: expect.stringMatching(/^v1\./) }]);
  expect(fixture.svc.log.length).toBeGreaterThan(0);
  expect(JSON.stringify([fixture.svc.log, rows])).not.toMatch(/planted-(wish|text|answer)/);
  const events = await fixture.svc.database.query(
    `select subject_id::int as id, detail from svc.audit_events where event = 'llm.content_read'`,
  );
  expect(events.rows).toEqual([{ id: call.id, detail: {} }]);

  expect((await instruct()).status).toBe(200);
  const [again] = await calls();
  expect([again.id === call.id, again.promptHash === call.promptHash]).toEqual([false, true]);
});

test('an answer that repeats the key is not stored', async () => {
  await provider.script(JSON.stringify({ content: key }), `{"content":"\\u0073${key.slice(1)}"}`);
  expect((await instruct()).status).toBe(424);
  const [second, first] = await calls();
  for (const { id } of [first, second]) {
    const { status, body, text } = await contentOf(id);
    expect([status, body.answer]).toEqual([200, null]);
    expect(text).not.toContain(key);
  }
});

test('a failed call is stored without an answer', async () => {
  const { root } = fixture;
  const llmConnection = {
    provider: 'OpenAiCompatible',
    endpoint: `${provider.origin}/v1`,
    model: 'status-400',
  };
  await root.put('/svc/api/admin-settings', { llmConnection });
  expect((await instruct()).status).toBe(424);
  const [call] = await calls();
  expect((await contentOf(call.id)).body).toMatchObject({ answer: null });
  await root.put('/svc/api/admin-settings', { llmConnection: null });
});

test('unknown ids and a call whose content cannot be decrypted get 404', async () => {
  for (const id of [0, 999_999]) expect((await contentOf(id)).status).toBe(404);
  const [call] = await calls();
  await fixture.svc.database.query(`update svc.llm_contents set content_sealed = 'x' where call_id = $1`, [
    call.id,
  ]);
  expect((await contentOf(call.id)).status).toBe(404);
});

test('content older than seven days is deleted, and the call itself remains', async () => {
  const { database } = fixture.svc;
  const count = async () =>
    (await database.query('select count(*)::int as count from svc.llm_contents')).rows[0].count;
  const before = await count();
  const [call] = await calls();
  await database.query(
    `update svc.llm_contents set kept_at = now() - interval '169 hours' where call_id = $1`,
    [call.id],
  );
  expect(await dropOldContents(createDatabase(database), contentDays, 100)).toBe(1);
  expect([await count(), (await calls())[0].id]).toEqual([before - 1, call.id]);
});
