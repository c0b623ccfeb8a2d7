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

beforeAll(async () => {
  fixture = await startRunFixture();
  await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
});
afterAll(() => fixture.close());

describe('a glossary as a document', () => {
  const heading = 'term,synonyms,definition,dataSource,schema,table,column,metricExpression,isActive';
  const counts = (createdCount: number, changedCount: number, unchangedCount: number) => ({
    createdCount,
    changedCount,
    unchangedCount,
  });

  test('is exported, imported again without a change, and changes and adds terms line by line', async () => {
    const { root, projectId } = fixture;
    const { body: source } = await root.get(`/svc/api/data-sources/${fixture.sourceId}`);
    await fixture.make(
      path,
      term({ term: '=Odd', synonyms: ["'-x", 'a;b'], definition: 'One\ntwo "three"' }),
    );
    const exported = await root.get(`${path}/export?projectId=${projectId}`);
    expect([exported.status, exported.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(exported.text).toContain("'=Odd");
    const terms = exported.text.split('\r\n').length - 2;
    const load = (document: string, dryRun = false) =>
      root.post(`${path}/import`, { projectId, document, dryRun });
    const same = await load(exported.text);
    expect([same.status, same.body]).toMatchObject([200, { ...counts(0, 0, terms), refused: [] }]);

    const document = [
      heading,
      `Loaded,Laden,"Came in a file",${source.name},public,orders,total,sum(total),true`,
      '=odd,,Changed,,,,,,FALSE',
    ].join('\n');
    const preview = await load(document, true);
    expect(preview.body).toEqual({ ...counts(1, 1, 0), refused: [] });
    const count = async () =>
      (await root.get(`${path}?projectId=${projectId}&search=Loaded`)).body.totalCount;
    expect(await count()).toBe(0);
    expect((await load(document)).body).toEqual({ ...counts(1, 1, 0), refused: [] });
    expect(await count()).toBe(1);
    const { body } = await root.get(`${path}?projectId=${projectId}&search=odd&includeInactive=true`);
    expect(body.items).toMatchObject([
      { term: '=odd', synonyms: [], definition: 'Changed', isActive: false },
    ]);
    const { rows } = await fixture.svc.database.query(
      `select event, count(*)::int as count from svc.audit_events where event like 'glossary.%' and subject_id in
        (select id from svc.glossary_terms where term in ('Loaded', '=odd')) group by event order by event`,
    );
    expect(rows).toEqual([
      { event: 'glossary.term_changed', count: 1 },
      { event: 'glossary.term_created', count: 2 },
    ]);
  });

  test('is imported completely or not at all, and each refused line is named', async () => {
    const { root, projectId } = fixture;
    const { body: source } = await root.get(`/svc/api/data-sources/${fixture.sourceId}`);
    const document = [
      heading,
      'Good,,Fine,,,,,,',
      'Bad,,,,,,,,',
      `"Worse",,"two\nlines",${source.name},public,orders,,sum(nothing),`,
      'GOOD,,Again,,,,,,',
      'Metric,,x,,,,,count(*),',
    ].join('\n');
    const refused = [
      { line: 3, column: 'definition', message: 'is empty' },
      { line: 4, column: 'metricExpression', message: expect.stringContaining('"nothing" does not exist') },
      { line: 6, column: 'term', message: 'stands in line 2 already' },
      { line: 7, column: 'table', message: expect.stringContaining('a metric needs the table') },
    ];
    const preview = await root.post(`${path}/import`, { projectId, document, dryRun: true });
    expect([preview.status, preview.body]).toEqual([200, { ...counts(1, 0, 0), refused }]);
    const saved = await root.post(`${path}/import`, { projectId, document });
    expect([saved.status, saved.body.code, saved.body.errors.length]).toEqual([
      400,
      'invalid-glossary-document',
      4,
    ]);
    expect(saved.body.errors[0]).toEqual({ path: '/document', message: 'Line 3, definition: is empty' });
    expect((await root.get(`${path}?projectId=${projectId}&search=Fine`)).body.totalCount).toBe(0);
  });

  test('is refused with 400 if it is not a glossary, and with 404 for a project that does not exist', async () => {
    const load = (body: object) => fixture.root.post(`${path}/import`, body);
    const none = await load({ projectId: fixture.projectId, document: 'a,b\n1,2' });
    expect([none.status, none.body.code]).toEqual([400, 'invalid-glossary-document']);
    expect((await load({ projectId: 999_999, document: 'term\nx' })).status).toBe(404);
    expect((await fixture.root.get(`${path}/export?projectId=999999`)).status).toBe(404);
  });
});
