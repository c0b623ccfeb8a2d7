import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
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
  // A forced refresh is one in 30 s.
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
  test('says what a word means and which column it stands for, and that the column went', async () => {
    await fixture.shop.query('create table sales (id int primary key, amount int)');
    await refresh();
    const made = await fixture.root.post(
      path,
      term({
        ...{ term: ' Revenue ', synonyms: ['Turnover', 'turnover', 'revenue', 'Sales'] },
        ...{
          dataSourceId: fixture.sourceId,
          target: { schema: 'public', table: 'sales', column: 'amount' },
        },
      }),
    );
    expect(made.body).toMatchObject({
      ...{ term: 'Revenue', synonyms: ['Turnover', 'Sales'], isActive: true, isBroken: false, version: 1 },
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
      ...{ definition: 'Paid, without tax.', synonyms: [], target: null, dataSourceId: null },
      ...{ isActive: false, isBroken: false, version: 2 },
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

  test('is found by word, synonym and meaning, without what is put away', async () => {
    await fixture.make(path, term({ term: 'Churn', synonyms: ['Attrition'], definition: 'Who left.' }));
    await fixture.make(path, term({ term: 'basket', definition: 'An order not yet paid.' }));
    await fixture.make(path, term({ term: 'Old', definition: 'Who left long ago.', isActive: false }));
    const found = async (query: string): Promise<string[]> =>
      (await fixture.root.get(`${path}?projectId=${fixture.projectId}${query}`)).body.items.map(
        (one: { term: string }) => one.term,
      );
    expect(await found('')).toEqual(['basket', 'Churn']);
    expect(await found('&search=ATTRI')).toEqual(['Churn']);
    expect(await found('&search=not yet')).toEqual(['basket']);
    expect(await found('&search=left&includeInactive=true')).toEqual(['Churn', 'Old']);
    expect(await found(`&dataSourceId=${fixture.sourceId}`)).toEqual([]);
  });
});

describe('400, 403, 404 and 409', () => {
  test('a blank word, a target that is nowhere, a source of another project', async () => {
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

  test('a word that the project has in another case, a project that is none', async () => {
    const { id } = await fixture.make(path, term({ term: 'Margin' }));
    await fixture.make(path, term({ term: 'Profit' }));
    expect((await fixture.root.post(path, term({ term: 'MARGIN' }))).status).toBe(409);
    const renamed = await fixture.root.put(`${path}/${id}`, { term: 'profit', definition: 'x' });
    expect([renamed.status, renamed.body.errors[0].path]).toEqual([409, '/term']);
    expect((await fixture.root.post(path, term({ projectId: 999_999 }))).status).toBe(404);
  });

  test('whoever writes in the project is no Admin', async () => {
    const editor = await signIn(fixture.svc, await addUser(fixture.svc, 'writer', ['Editor']));
    const refused = await Promise.all([
      editor.get(path),
      editor.post(path, term()),
      editor.put(`${path}/1`, { term: 'x', definition: 'y' }),
      editor.delete(`${path}/1`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});
