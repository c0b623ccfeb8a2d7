import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpFixture, startMcpFixture } from './testing/fixture.ts';

let provider: LlmProviderProcess;
let fixture: McpFixture;
let key: string;
let otherKey: string;

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startMcpFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:InputPrice': '2.5',
      'Svc:LLM:OutputPrice': 10,
    },
  });
  key = (await fixture.key([fixture.sales])).authorization;
  otherKey = (await fixture.key([fixture.sales])).authorization;
});
afterAll(async () => {
  await fixture?.close();
  await provider?.close();
});

const modelAnswer = (part: Readonly<Record<string, unknown>>) => ({
  kind: 'Sql',
  sql: null,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
  ...part,
});
const ask = async (question: string, ...answers: readonly unknown[]) => {
  await provider.script(...answers);
  return fixture.call(key, 'ask', { question, data_source: fixture.salesSource });
};

describe('the tool ask', () => {
  test('answers with a checked statement and masked rows, framed as data', async () => {
    const sql = 'select id, email from customers order by id limit 3';
    const answer = await ask(
      'Who are the first customers?',
      modelAnswer({ sql, assumptions: ['The first three.'] }),
    );
    expect(answer.isError).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({
      state: 'Answered',
      basis: 'Model',
      confidence: 'Medium',
      sql,
      assumptions: ['The first three.'],

      dataSourceId: fixture.salesSource,
      truncatedBy: null,
      answerId: expect.any(Number),
      cost: 0.000098,
    });
    expect(answer.structuredContent.rows).toHaveLength(3);
    expect(JSON.stringify(answer)).not.toMatch(/customer\d@example\.com/);
    expect(answer.content[0]?.text).toContain('<data>');
  });

  test('asks the user a question, reports missing data, and refuses statements that write', async () => {
    const back = await ask(
      'How was it?',
      modelAnswer({ kind: 'Clarify', question: 'When?', options: ['Now', 'Then'] }),
    );
    expect(back.structuredContent).toMatchObject({
      state: 'NeedsClarification',
      askedBack: 'When?',
      options: ['Now', 'Then'],
      sql: null,
      rows: [],
    });
    const none = await ask('Will it rain?', modelAnswer({ kind: 'CannotAnswer', missing: 'No weather.' }));
    expect(none.structuredContent).toMatchObject({ state: 'CannotAnswer', missing: 'No weather.' });
    const drop = modelAnswer({ sql: 'drop table customers' });
    const refused = await ask('Clean up', drop, drop, drop);
    expect(refused.structuredContent).toMatchObject({ state: 'Refused', rows: [] });
  });

  test('cancels the request to the provider when the client disconnects', async () => {
    const settings = '/svc/api/admin-settings';
    const llmConnection = {
      provider: 'OpenAiCompatible',
      endpoint: `${provider.origin}/v1`,
      model: 'silent',
    };
    await fixture.root.put(settings, { llmConnection });
    const leaving = new AbortController();
    const args = { question: 'Will you say something?', data_source: fixture.salesSource };
    const call = fetch(`${fixture.svc.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        authorization: key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'ask', arguments: args },
      }),
      signal: leaving.signal,
    });
    const silent = async () => (await provider.seen()).find(({ body }) => body['model'] === 'silent');
    await expect.poll(silent).toMatchObject({ isClosed: false });
    leaving.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(silent).toMatchObject({ isClosed: true });
    await fixture.root.put(settings, { llmConnection: null });
  });

  test('renews the lease of an answer while it is in progress, and stops when the answer was ended elsewhere', async () => {
    const settings = '/svc/api/admin-settings';
    const endpoint = `${provider.origin}/v1`;
    const llmConnection = { provider: 'OpenAiCompatible', endpoint, model: 'silent' };
    await fixture.root.put(settings, { llmConnection });
    const call = fixture.call(otherKey, 'ask', { question: 'Slowly?', data_source: fixture.salesSource });
    const open = async () =>
      (
        await fixture.svc.sql(`select id, lease_until > now() as "isHeld" from svc.answers
        where question = 'Slowly?' and finished_at is null`)
      )[0];
    await expect.poll(open, { timeout: 20_000 }).toMatchObject({ isHeld: true });
    await fixture.svc.sql(`update svc.answers set lease_until = now() where question = 'Slowly?'`);
    await expect.poll(open, { timeout: 20_000 }).toMatchObject({ isHeld: true });
    await fixture.svc.sql(
      `update svc.answers set state = 'Failed', finished_at = now() where question = 'Slowly?'`,
    );
    expect((await call).structuredContent).toMatchObject({ state: 'Failed' });
    await fixture.root.put(settings, { llmConnection: null });
  });

  test('accepts questions again after the leases of answers from a crashed process have expired', async () => {
    const crashed = async (isExpired: boolean) =>
      fixture.svc.sql(
        `with talk as (insert into svc.conversations (project_id, owner_key)
           select $1, c.owner_key from svc.conversations c join svc.answers a on a.conversation_id = c.id
           where a.question = 'Will it rain?' limit 1 returning id)
         insert into svc.answers (conversation_id, question, is_run, state, lease_until)
         select id, 'Left behind?', true, 'Working', now() + $2 * interval '1 second' from talk, generate_series(1, 3)`,
        [fixture.sales, isExpired ? -1 : 20],
      );
    await crashed(false);
    const refused = await ask('How many now?', modelAnswer({ sql: 'select count(*) from customers' }));
    expect([refused.isError, JSON.stringify(refused)]).toEqual([
      true,
      expect.stringContaining('Three of your questions'),
    ]);
    await fixture.svc.sql(`update svc.answers set lease_until = now() where question = 'Left behind?'`);
    await crashed(true);
    const retried = await ask('How many now?', modelAnswer({ sql: 'select count(*) from customers' }));
    expect(retried.structuredContent).toMatchObject({ state: 'Answered' });
    const interrupted =
      await fixture.svc.sql(`select distinct state, detail->'failure'->>'code' as code from svc.answers
      where question = 'Left behind?'`);
    expect(interrupted).toEqual([{ state: 'Failed', code: 'Interrupted' }]);
  });

  test('adds no conversation to the list of a user', async () => {
    const { body } = await fixture.root.get('/svc/api/ask/conversations');
    expect(body.items).toEqual([]);
  });
});

describe('the tool feedback', () => {
  test('stores the feedback of a client only for its own answer', async () => {
    const answer = await ask('How many customers?', modelAnswer({ sql: 'select count(*) from customers' }));
    const { answerId } = answer.structuredContent;
    const say = (who: string, args: object) =>
      fixture.call(who, 'feedback', { answer_id: answerId, ...args });
    expect((await say(otherKey, { verdict: 'Wrong' })).isError).toBe(true);
    expect((await say(key, { verdict: 'Maybe' })).isError).toBe(true);
    const feedback = await say(key, { verdict: 'Right', comment: 'As counted by hand' });
    expect(feedback.structuredContent).toEqual({ answerId, isKept: true });
    const { rows } = await fixture.svc.database.query('select verdict, comment from svc.answer_feedback');
    expect(rows).toEqual([{ verdict: 'Right', comment: 'As counted by hand' }]);
  });
});
