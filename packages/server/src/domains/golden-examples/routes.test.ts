import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/eval/golden';
let fixture: RunFixture;
const example = (change: Record<string, unknown> = {}) => ({
  projectId: fixture.projectId,
  dataSourceId: fixture.sourceId,
  question: 'How many orders are there?',
  sql: 'select count(*) from orders',
  ...change,
});

beforeAll(async () => {
  fixture = await startRunFixture();
});
afterAll(() => fixture.close());

describe('a golden example', () => {
  test('is versioned, and its creation, change and deletion are audited', async () => {
    const made = await fixture.root.post(path, example({ question: ' What is the total? ', notes: ' ' }));
    expect(made.body).toMatchObject({
      question: 'What is the total?',
      notes: null,
      expected: 'Rows',
      isBroken: false,
      version: 1,
      checkedAt: expect.any(String),
    });
    const one = `${path}/${made.body.id}`;
    const headers = { 'if-match': '"1"' };
    const { projectId: _, ...change } = example({ question: 'The total', isActive: false });
    expect((await fixture.root.put(one, change, { headers })).body).toMatchObject({
      question: 'The total',
      isActive: false,
      version: 2,
    });
    expect((await fixture.root.put(one, change, { headers })).status).toBe(412);
    expect((await fixture.root.delete(one, { headers })).status).toBe(412);
    const listed = async (query: string) =>
      (await fixture.root.get(`${path}?search=total${query}`)).body.totalCount;
    expect([await listed(''), await listed('&includeInactive=true')]).toEqual([0, 1]);
    expect((await fixture.root.delete(one)).status).toBe(204);
    const { rows } = await fixture.svc.database.query(
      `select event from svc.audit_events where event like 'golden.%' order by id`,
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'golden.example_created',
      'golden.example_changed',
      'golden.example_deleted',
    ]);
  });

  test('is not marked as broken while its source is unavailable, but once the source is unlinked', async () => {
    const { body: source } = await fixture.root.get(`/svc/api/data-sources/${fixture.sourceId}`);
    const { id } = await fixture.make(path, example({ question: 'Orders, away?' }));
    const sealed = await fixture.svc.database.query(
      'select connection_sealed from svc.data_sources where id = $1',
      [fixture.sourceId],
    );
    const seal = (text: string) =>
      fixture.svc.database.query('update svc.data_sources set connection_sealed = $2 where id = $1', [
        fixture.sourceId,
        text,
      ]);
    await seal('nothing that opens');
    expect((await fixture.root.post(`${path}/recheck`, {})).body).toMatchObject({
      checkedCount: 0,
      brokenCount: 0,
    });
    expect((await fixture.root.get(`${path}/${id}`)).body.isBroken).toBe(false);
    const unsaved = await fixture.root.post(path, example({ question: 'Now?' }));
    expect([unsaved.status, unsaved.body.code]).toEqual([424, 'golden-example-unchecked']);
    await seal(sealed.rows[0].connection_sealed);

    await fixture.svc.database.query('delete from svc.project_data_sources where data_source_id = $1', [
      fixture.sourceId,
    ]);
    expect((await fixture.root.get(`${path}/${id}`)).body).toMatchObject({
      isBroken: true,
      dataSourceName: source.name,
      brokenReason: 'The data source is not linked to the project any more.',
    });
    await fixture.svc.database.query(
      'insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)',
      [fixture.projectId, fixture.sourceId],
    );
  });
});

describe('400, 403, 404 and 409', () => {
  test.each([
    ['a statement that writes', { sql: 'delete from orders' }],
    [
      'a statement that writes after WITH',
      { sql: 'with x as (delete from orders returning *) select * from x' },
    ],
    ['two statements', { sql: 'select 1; select 2' }],
    ['a missing table', { sql: 'select * from nowhere' }],
    ['a function with side effects', { sql: "select pg_sleep(1), set_config('a.b', 'c', false)" }],
    ['a placeholder', { sql: 'select * from orders where id = {{id}}' }],
    ['expected rows but no statement', { sql: null }],
    ['a statement although no answer is expected', { expected: 'NoAnswer' }],
  ])('refuses an example with %s', async (_, change) => {
    const { status, body } = await fixture.root.post(path, example({ question: 'Bad?', ...change }));
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid-golden-example', '/sql']);
  });

  test('refuses a source of another project or a blank question with 400, and an unknown project with 404', async () => {
    const answers = await Promise.all([
      fixture.root.post(path, example({ dataSourceId: 999_999 })),
      fixture.root.post(path, example({ question: ' ' })),
      fixture.root.post(path, example({ projectId: 999_999 })),
    ]);
    expect(answers.map(({ status, body }) => [status, body.errors?.[0]?.path])).toEqual([
      [400, '/dataSourceId'],
      [400, '/question'],
      [404, undefined],
    ]);
  });

  test('refuses a question that an example of the source has in another spelling with 409', async () => {
    await fixture.make(path, example({ question: 'Open orders?' }));
    const { id } = await fixture.make(path, example({ question: 'Closed orders?' }));
    const twin = await fixture.root.post(path, example({ question: 'open  ORDERS' }));
    expect([twin.status, twin.body.errors[0].path]).toEqual([409, '/question']);
    const { projectId: _, ...change } = example({ question: 'Open orders' });
    expect((await fixture.root.put(`${path}/${id}`, change)).status).toBe(409);
  });

  test('refuses every request of an Editor who is not an Admin with 403', async () => {
    const editor = await signIn(fixture.svc, await addUser(fixture.svc, 'writer', ['Editor']));
    const refused = await Promise.all([
      editor.get(path),
      editor.post(path, example()),
      editor.put(`${path}/1`, { dataSourceId: 1, question: 'x', expected: 'NoAnswer' }),
      editor.post(`${path}/recheck`, {}),
      editor.delete(`${path}/1`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });
});
