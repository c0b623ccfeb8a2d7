import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/glossary';
let fixture: RunFixture;
const term = (change: Record<string, unknown> = {}) => ({
  projectId: fixture.projectId,
  term: 'Revenue',
  definition: 'What customers paid.',
  ...change,
});
const refresh = async (): Promise<void> => {
  // A forced refresh is limited to one in 30 s.
  await fixture.svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
  const { status, text } = await fixture.root.post(
    `/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`,
  );
  expect(status, text).toBe(200);
};

beforeAll(async () => {
  fixture = await startRunFixture();
  await refresh();
});
afterAll(() => fixture.close());

describe('the glossary of a project', () => {
  test('returns the definition of a term and its column, and reports when the column no longer exists', async () => {
    await fixture.shop.query('create table sales (id int primary key, amount int)');
    await refresh();
    const made = await fixture.root.post(
      path,
      term({
        term: ' Revenue ',
        synonyms: ['Turnover', 'turnover', 'revenue', 'Sales'],

        dataSourceId: fixture.sourceId,
        target: { schema: 'public', table: 'sales', column: 'amount' },
      }),
    );
    expect(made.body).toMatchObject({
      term: 'Revenue',
      synonyms: ['Turnover', 'Sales'],
      isActive: true,
      isBroken: false,
      version: 1,
      target: { schema: 'public', table: 'sales', column: 'amount' },
    });
    expect(made.status).toBe(201);
    const one = `${path}/${made.body.id}`;
    expect((await fixture.root.get(one)).body).toEqual(made.body);

    await fixture.shop.query('alter table sales rename column amount to total');
    await refresh();
    expect((await fixture.root.get(one)).body).toMatchObject({ isBroken: true });

    const headers = { 'if-match': '"1"' };
    const change = { term: 'Revenue', definition: 'Paid, without tax.', isActive: false };
    const replaced = await fixture.root.put(one, change, { headers });
    expect(replaced.body).toMatchObject({
      definition: 'Paid, without tax.',
      synonyms: [],
      target: null,
      dataSourceId: null,
      isActive: false,
      isBroken: false,
      version: 2,
    });
    expect((await fixture.root.put(one, change, { headers })).status).toBe(412);
    expect((await fixture.root.delete(one, { headers })).status).toBe(412);
    expect((await fixture.root.delete(one)).status).toBe(204);
    expect((await fixture.root.get(one)).status).toBe(404);
    const { rows } = await fixture.svc.database.query(
      `select event from svc.audit_events where event like 'glossary.%' order by id`,
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'glossary.term_created',
      'glossary.term_changed',
      'glossary.term_deleted',
    ]);
  });

  test('is searched by term, synonym and definition, and omits inactive terms by default', async () => {
    await fixture.make(path, term({ term: 'Churn', synonyms: ['Attrition'], definition: 'Who left.' }));
    await fixture.make(path, term({ term: 'basket', definition: 'An order not yet paid.' }));
    await fixture.make(path, term({ term: 'Old', definition: 'Who left long ago.', isActive: false }));
    const termsFor = async (query: string): Promise<string[]> =>
      (await fixture.root.get(`${path}?projectId=${fixture.projectId}${query}`)).body.items.map(
        (one: { term: string }) => one.term,
      );
    expect(await termsFor('')).toEqual(['basket', 'Churn']);
    expect(await termsFor('&search=ATTRI')).toEqual(['Churn']);
    expect(await termsFor('&search=not yet')).toEqual(['basket']);
    expect(await termsFor('&search=left&includeInactive=true')).toEqual(['Churn', 'Old']);
    expect(await termsFor(`&dataSourceId=${fixture.sourceId}`)).toEqual([]);
  });
});

describe('a metric', () => {
  const salary = (change: Record<string, unknown> = {}) =>
    term({
      term: 'Average order',
      definition: 'What an order comes to.',
      dataSourceId: fixture.sourceId,
      target: { schema: 'public', table: 'orders', column: null },
      metricExpression: ' avg(total) filter (where total > 0) ',
      ...change,
    });
  const checksDone = () =>
    until('the checks', async () => {
      const { rows } = await fixture.svc.database.query(
        `select count(*)::int as count from svc_jobs.job
         where name = 'check-terms' and state not in ('Completed', 'Failed', 'Cancelled')`,
      );
      return rows[0].count === 0 || undefined;
    });

  test('is checked by the engine when it is saved, when the schema changes, and on request', async () => {
    const { root, shop } = fixture;
    await shop.query('create table stock (id int primary key, amount int, price numeric)');
    await refresh();
    const target = { schema: 'public', table: 'stock', column: 'amount' };
    const made = await root.post(
      path,
      salary({ term: 'Stock value', target, metricExpression: ' sum(amount * price) ' }),
    );
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        metricExpression: 'sum(amount * price)',
        target,
        isBroken: false,
        brokenReason: null,
        checkedAt: expect.any(String),
      },
    ]);
    const one = `${path}/${made.body.id}`;

    await shop.query('alter table stock rename column price to cost');
    await refresh();
    await checksDone();
    expect((await root.get(one)).body).toMatchObject({
      isBroken: true,
      brokenReason: expect.stringContaining('column "price" does not exist'),
    });
    // A broken term can be deactivated, but not activated.
    const { term: word, definition, metricExpression } = made.body;
    const content = { term: word, definition, metricExpression, target, dataSourceId: fixture.sourceId };
    expect((await root.put(one, { ...content, isActive: false })).body).toMatchObject({ isActive: false });
    expect((await root.put(one, { ...content, isActive: true })).status).toBe(400);

    await shop.query('alter table stock rename column cost to price');
    expect((await root.put(one, content)).body).toMatchObject({ isActive: true, isBroken: false });
    await shop.query('alter table stock rename column price to cost');
    const recheck = await root.post(`${path}/recheck`, { projectId: fixture.projectId });
    expect([recheck.status, recheck.body]).toEqual([
      200,
      { checkedCount: 1, brokenCount: 1, uncheckedCount: 0, remainingCount: 0 },
    ]);
    expect((await root.get(one)).body).toMatchObject({ isBroken: true });
    await shop.query('alter table stock rename column cost to price');
    expect((await root.post(`${path}/recheck`, {})).body).toMatchObject({ checkedCount: 1, brokenCount: 0 });
    expect((await root.get(one)).body).toMatchObject({ isBroken: false, brokenReason: null });
    await root.delete(one);
  });

  test('is refused with the message of the engine if the engine cannot compute it', async () => {
    const { status, body } = await fixture.root.post(path, salary({ metricExpression: 'avg(amounts)' }));
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid-glossary-target',
      [
        {
          path: '/metricExpression',
          message: expect.stringMatching(/column "amounts" does not exist/),
        },
      ],
    ]);
    expect(body.errors[0].message).not.toContain('line');
  });

  test.each([
    ['sum(total)) from orders; drop table orders; select (1', 'closes a bracket that it does not open'],
    ['sum(total), count(*)', 'is more than one expression'],
    ['1; select 2', 'is more than one expression'],
    ['sum(total) -- all', 'may hold no comment'],
    ['sum(total /* all */)', 'may hold no comment'],
    ['sum(total', 'opens a bracket that it does not close'],
    ["max('a)", 'ends within a quote or a comment'],
    ['sum({{total}})', 'may hold no placeholder'],
  ])('is refused if it leaves its place in the statement: %s', async (metricExpression, message) => {
    const { status, body } = await fixture.root.post(path, salary({ metricExpression }));
    expect([status, body.errors]).toEqual([400, [{ path: '/metricExpression', message }]]);
    const { rows } = await fixture.shop.query('select count(*)::int as count from orders');
    expect(rows[0].count).toBe(3);
  });

  test('is refused if it changes data, has no table, or cannot be checked', async () => {
    const { root, svc, sourceId } = fixture;
    await fixture.shop.query('create sequence counted');
    const moves = await root.post(path, salary({ metricExpression: "nextval('counted')" }));
    expect([moves.status, moves.body.errors[0].path]).toEqual([400, '/metricExpression']);
    const alone = await root.post(path, salary({ target: null }));
    expect([alone.status, alone.body.errors[0].path]).toEqual([400, '/target']);
    const { rows } = await svc.database.query(
      'select connection_sealed from svc.data_sources where id = $1',
      [sourceId],
    );
    await svc.database.query(`update svc.data_sources set connection_sealed = 'x' where id = $1`, [sourceId]);
    const unasked = await root.post(path, salary());
    const recheck = await root.post(`${path}/recheck`, {});
    await svc.database.query('update svc.data_sources set connection_sealed = $2 where id = $1', [
      sourceId,
      rows[0].connection_sealed,
    ]);
    expect([unasked.status, unasked.body.code]).toEqual([424, 'glossary-term-unchecked']);
    expect([recheck.status, recheck.body.brokenCount]).toEqual([200, 0]);
    expect((await root.post(path, salary())).status).toBe(201);
  });
});

describe('400, 403, 404 and 409', () => {
  test('refuses a blank term, a target that does not exist, and a data source of another project with 400', async () => {
    const target = { schema: 'public', table: 'orders', column: null };
    const dataSourceId = fixture.sourceId;
    const answers = await Promise.all([
      fixture.root.post(path, term({ term: ' ' })),
      fixture.root.post(path, term({ target })),
      fixture.root.post(path, term({ dataSourceId: 999_999 })),
      fixture.root.post(path, term({ dataSourceId, target: { ...target, table: 'nowhere' } })),
      fixture.root.post(path, term({ dataSourceId, target: { ...target, column: 'nowhere' } })),
    ]);
    expect(answers.map(({ status, body }) => [status, body.errors[0].path])).toEqual([
      [400, '/term'],
      [400, '/dataSourceId'],
      [400, '/dataSourceId'],
      [400, '/target/table'],
      [400, '/target/column'],
    ]);
  });

  test('refuses a term that the project has in another case with 409, and an unknown project with 404', async () => {
    const { id } = await fixture.make(path, term({ term: 'Margin' }));
    await fixture.make(path, term({ term: 'Profit' }));
    expect((await fixture.root.post(path, term({ term: 'MARGIN' }))).status).toBe(409);
    const renamed = await fixture.root.put(`${path}/${id}`, { term: 'profit', definition: 'x' });
    expect([renamed.status, renamed.body.errors[0].path]).toEqual([409, '/term']);
    expect((await fixture.root.post(path, term({ projectId: 999_999 }))).status).toBe(404);
  });

  test('refuses every request of an Editor who is not an Admin with 403', async () => {
    const editor = await signIn(fixture.svc, await addUser(fixture.svc, 'writer', ['Editor']));
    const refused = await Promise.all([
      editor.get(path),
      editor.post(path, term()),
      editor.put(`${path}/1`, { term: 'x', definition: 'y' }),
      editor.delete(`${path}/1`),
      editor.post(`${path}/recheck`, {}),
      editor.get(`${path}/export?projectId=${fixture.projectId}`),
      editor.post(`${path}/import`, { projectId: fixture.projectId, document: 'term\nx' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(403));
  });
});
