import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { evaluateNow } from '@svc/testkit/runs/evaluate.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { callTool } from '../support/mcp.ts';
import { scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

const iban = 'DE89370400440532013000';
const name = 'Zaphod Quintessence';
const secrets = [iban, iban.toLowerCase(), name, name.toLowerCase()];

const statements = [
  "select string_agg(row(c.*)::text, '|')::int as x from customers c",
  'select iban::regclass::text as x from customers',
  'select name::regtype::text as x from customers',
  'select raise_value(iban) as x from customers',
];

const table = `create table customers (id int, name text, iban text);
  insert into customers values (1, '${name}', '${iban}');
  create function raise_value(v text) returns int language plpgsql as
    $$ begin raise exception 'relation "%" does not exist', v using errcode = '42P01', detail = v, hint = v; end $$`;

/** Returns the problem of a failed export, or an empty text if the connection failed. */
async function exportText(client: HttpClient, saved: string): Promise<string> {
  const answer = await client.post(`${saved}/export`, { format: 'Csv' }).catch(() => undefined);
  expect(answer?.status).not.toBe(200);
  return answer?.text ?? '';
}

scenario(
  ['RT-7-13'],
  'no response, stored reason, message or log line repeats a row value from an error of a statement',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { svc, root, projectId, dataSourceId, source } = fixture;
    await source.sql(table);
    const editor = await signIn(svc, await addUser(svc, 'errors-editor', ['Editor']));
    const viewer = await signIn(svc, await addUser(svc, 'errors-viewer', ['Viewer']));
    const operator = await signIn(
      svc,
      await addUser(svc, 'errors-operator', ['Editor', 'MigrationOperator']),
    );
    const key = svc.client(
      `Bearer ${(await addKey(root, { scopes: ['Execute'], projects: [projectId] })).text}`,
    );
    const texts: string[] = [];
    for (const sql of statements) {
      const steps = [{ dataSourceId, sql }];
      const draft = { projectId, steps };
      const queryId = await fixture.addQuery(sql);
      const saved = `/svc/api/queries/${queryId}`;
      const refused = [
        await editor.post('/svc/api/queries/preview', draft),
        await editor.post('/svc/api/queries/preview', { ...draft, finalQuery: 'select * from step1' }),
        await viewer.post(`${saved}/preview`, {}),
        await viewer.post(`${saved}/steps/1/preview`, {}),
        await key.post(`${saved}/preview`, {}),
        await operator.post('/svc/api/migrations/preview', {
          dataSourceId,
          source: { kind: 'Query', sql },
          withRows: true,
        }),
      ];
      for (const answer of refused) {
        expect([sql, answer.status], answer.text).toEqual([
          sql,
          expect.toSatisfy((status: number) => status >= 400 && status < 500),
        ]);
        texts.push(answer.text);
      }
      texts.push(await exportText(viewer, saved));
      texts.push(
        (await callTool(key, 'query', { sql })).text,
        (await callTool(key, 'dry_run', { sql })).text,
      );
      const { run } = await sendOnce(fixture, queryId);
      expect(run.status).toBe('Failed');
      texts.push(JSON.stringify(run));
    }
    const refreshed = await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    expect(refreshed.status, refreshed.text).toBe(200);
    const contract = await root.post('/svc/api/data-quality/contracts', {
      projectId,
      dataSourceId,
      schemaName: 'public',
      tableName: 'customers',
      name: 'Customers',
      rules: statements.map((sql, index) => ({
        name: `Rule ${index}`,
        type: 'CustomSql',
        config: { kind: 'FailingRows', sql },
      })),
    });
    expect(contract.status, contract.text).toBe(201);
    const evaluation = await evaluateNow(root, contract.body.id);
    expect(evaluation.results.map(({ outcome }) => outcome)).toEqual(statements.map(() => 'Error'));
    texts.push(JSON.stringify(evaluation));
    texts.push((await root.get('/svc/api/notices')).text, JSON.stringify(svc.log));
    const joined = { projectId, steps: [{ dataSourceId, sql: 'select * from customers' }] };
    for (const finalQuery of ['select error(iban) from step1', 'select name::int from step1'])
      texts.push((await editor.post('/svc/api/queries/preview', { ...joined, finalQuery })).text);
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
  },
  { timeout: 600_000 },
);

scenario(
  ['RT-7-13'],
  'no answer, request to the model or log line repeats a row value from an error of a statement',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { svc, root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql(table);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const conversation = await root.post('/svc/api/ask/conversations', { projectId });
    const place = `/svc/api/ask/conversations/${conversation.body.id}`;
    for (const sql of statements) {
      const written = {
        kind: 'Sql',
        sql,
        assumptions: [],
        question: null,
        options: [],
        missing: null,
      };
      // The service sends a failed statement back to the model, with the error of the database.
      await provider.script(written, written, written);
      const asked = await root.post(`${place}/questions`, { question: `Which customers: ${sql.length}?` });
      const answer = await until('an answer', async () => {
        const { body } = await root.get(`/svc/api/ask/answers/${asked.body.id}`);
        return body.finishedAt === null ? undefined : body;
      });
      expect(answer.state, JSON.stringify(answer)).not.toBe('Answered');
    }
    const sent = JSON.stringify((await provider.seen()).map(({ body }) => body));
    expect(sent).toContain('customers');
    for (const text of [sent, (await root.get(place)).text, JSON.stringify(svc.log)])
      for (const secret of secrets) expect(text).not.toContain(secret);
  },
);

scenario(
  ['DL-2.5-04'],
  'readers of a query see the database error of its failed run; other users who see the run get a generic reason',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { svc, root, projectId, dataSourceId } = fixture;
    const { run } = await sendOnce(fixture, await fixture.addQuery('select 1,\n  no_such_column'));
    const message = 'column "no_such_column" does not exist';
    const detail = `/svc/api/notifications/${run.id}`;
    expect((await root.get(detail)).body).toMatchObject({
      comment: `The query failed in step 1, line 2, column 3: ${message}`,
      failure: { stepOrder: 1, line: 2, column: 3, message, sqlLine: '  no_such_column' },
    });
    // The stranger reaches the source through another, open project. The project of the query is restricted.
    const open = await root.post('/svc/api/projects', { name: 'Open' });
    await root.post(`/svc/api/projects/${open.body.id}/data-sources`, { dataSourceId });
    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    const stranger = await signIn(svc, await addUser(svc, 'errors-stranger', ['Viewer']));
    const seen = await stranger.get(detail);
    expect(seen.status).toBe(200);
    expect(seen.body).toMatchObject({ comment: expect.stringContaining('step 1'), failure: null });
    for (const answer of [seen, await stranger.get('/svc/api/notifications')])
      expect(answer.text).not.toContain('no_such_column');
  },
);
