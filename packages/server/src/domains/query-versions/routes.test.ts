import { orderCount, type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import type { Call } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: QueryFixture;
let call: Call;

beforeAll(async () => {
  fixture = await startQueryFixture();
  call = fixture.app.call;
});
afterAll(() => fixture.close());

const missingId = 2_000_000_000;
const rowsInAll = 'select count(*) as n from orders';

const save = (id: number, sql: string, change: Record<string, unknown> = {}) =>
  call('editor', `PUT /svc/api/queries/${id}`, {
    body: { name: 'Orders', steps: [{ dataSourceId: fixture.sources.shop, sql }], ...change },
  });
/** Creates a query with two versions in the restricted project. Returns its list of versions, the newest first. */
const twoVersions = async (change: Record<string, unknown> = {}) => {
  const { body: query } = await call('editor', 'POST /svc/api/queries', {
    body: {
      projectId: fixture.restricted,
      name: 'Orders',
      steps: [{ dataSourceId: fixture.sources.shop, sql: rowsInAll }],
      ...change,
    },
  });
  await save(query.id, 'select 2 as n', { changeReason: 'Twice' });
  const { body } = await call('viewer', `GET /svc/api/queries/${query.id}/versions`);
  const [second, first] = body.items;
  return { id: query.id as number, query, first, second, list: body };
};
const restore = (
  as: string,
  versionId: number,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => call(as, `POST /svc/api/query-versions/${versionId}/restore`, { body, headers });

describe('200', () => {
  test('versions are listed newest first, with their author, reason and changed parts', async () => {
    const { list, id, query } = await twoVersions();
    expect(list).toMatchObject({
      totalCount: 2,
      items: [
        {
          queryId: id,
          versionNumber: 2,
          status: 'Active',
          changeSource: 'User',
          changeReason: 'Twice',
          changedParts: ['Step'],
          createdByUserName: 'editor',
          restoredFromNumber: null,
        },
        { versionNumber: 1, status: 'Archived', changeReason: null, changedParts: [] },
      ],
    });
    const { body } = await call(
      'viewer',
      `GET /svc/api/queries/${id}/versions?pageSize=1&page=1&sort=versionNumber`,
    );
    expect(body).toMatchObject({ totalCount: 2, pageCount: 2, items: [{ versionNumber: 2 }] });
    expect(query.versionNumber).toBe(1);
  });

  test('a version contains its definition, and which of its data sources are still linked', async () => {
    const { body: query } = await call('editor', 'POST /svc/api/queries', {
      body: {
        projectId: fixture.restricted,
        name: 'Two sources',
        finalQuery: 'select 1 as one',
        parameters: [{ name: 'days', type: 'Number', defaultValue: 7 }],
        steps: [fixture.sources.shop, fixture.sources.held].map((dataSourceId) => ({
          dataSourceId,
          sql: 'select 1 as one',
        })),
      },
    });
    await save(query.id, 'select 1 as one');
    const { body: list } = await call('viewer', `GET /svc/api/queries/${query.id}/versions`);
    const unlink = 'delete from svc.project_data_sources where project_id = $1 and data_source_id = $2';
    const link = [fixture.restricted, fixture.sources.held];
    await fixture.database.query(unlink, link);
    try {
      const { body } = await call('viewer', `GET /svc/api/query-versions/${list.items[1].id}`);
      expect(body).toMatchObject({
        versionNumber: 1,
        name: 'Two sources',
        finalQuery: 'select 1 as one',
        canEdit: false,
        parameters: [{ name: 'days', type: 'Number', defaultValue: 7 }],
        steps: [
          { order: 1, isSourceLinked: true, dataSourceName: 'Shop', engine: 'PostgreSQL' },
          { order: 2, isSourceLinked: false, dataSourceName: null, engine: null },
        ],
      });
      const refused = await restore('editor', list.items[1].id);
      expect(refused).toMatchObject({ status: 409, body: { code: 'source-not-linked' } });
      const preview = await call('viewer', `POST /svc/api/query-versions/${list.items[1].id}/preview`, {
        body: {},
      });
      expect(preview).toMatchObject({ status: 409, body: { code: 'source-not-linked' } });
    } finally {
      await fixture.database.query(
        'insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)',
        link,
      );
    }
  });

  test('any two versions are compared, in both directions', async () => {
    const { first, second } = await twoVersions();
    const forth = await call('viewer', `GET /svc/api/query-versions/diff?from=${first.id}&to=${second.id}`);
    expect(forth).toMatchObject({
      status: 200,
      body: {
        from: { id: first.id, versionNumber: 1 },
        to: { id: second.id, versionNumber: 2 },
        parts: [
          { part: 'Step', change: 'Changed', before: { sql: rowsInAll }, after: { sql: 'select 2 as n' } },
        ],
      },
    });
    const back = await call('viewer', `GET /svc/api/query-versions/diff?from=${second.id}&to=${first.id}`);
    expect(back.body.parts).toMatchObject([{ before: { sql: 'select 2 as n' }, after: { sql: rowsInAll } }]);
    const same = await call('viewer', `GET /svc/api/query-versions/diff?from=${first.id}&to=${first.id}`);
    expect(same.body.parts).toEqual([]);
  });

  test('a preview of an old version runs its definition, and returns its number', async () => {
    const { id, first } = await twoVersions();
    const old = await call('viewer', `POST /svc/api/query-versions/${first.id}/preview`, { body: {} });
    expect(old).toMatchObject({ status: 200, body: { versionNumber: 1 } });
    expect(Number(old.body.rows[0][0])).toBe(orderCount);
    const now = await call('viewer', `POST /svc/api/queries/${id}/preview`, { body: {} });
    expect(now).toMatchObject({ body: { versionNumber: 2, rows: [[2]] } });
  });

  test('a preview of a version masks personal data', async () => {
    const { first } = await twoVersions({
      steps: [{ dataSourceId: fixture.sources.shop, sql: 'select email from orders order by id limit 1' }],
    });
    const { body } = await call('viewer', `POST /svc/api/query-versions/${first.id}/preview`, { body: {} });
    expect(body.columns).toMatchObject([{ name: 'email', isMasked: true }]);
    expect(JSON.stringify(body.rows)).not.toContain('c1@example.org');
  });

  test('restoring saves a new version with the next number, its source, its reason and the restored version', async () => {
    const { id, query, first } = await twoVersions();
    const restored = await restore('editor', first.id, { changeReason: ' Too few ' }, { 'if-match': '"2"' });
    expect(restored).toMatchObject({ status: 200, body: { version: 3, versionNumber: 3 } });
    expect(restored.headers.get('etag')).toBe('"3"');
    expect(restored.body.steps).toMatchObject([{ key: query.steps[0].key, sql: rowsInAll }]);
    const { body } = await call('viewer', `GET /svc/api/queries/${id}/versions`);
    expect(body.items[0]).toMatchObject({
      versionNumber: 3,
      status: 'Active',
      changeSource: 'Restore',
      restoredFromNumber: 1,
      changeReason: 'Too few',
      changedParts: ['Step'],
    });
    const { rows } = await fixture.database.query(
      "select event, detail from svc.audit_events where subject_kind = 'query' and subject_id = $1 order by id desc limit 1",
      [id],
    );
    expect(rows).toMatchObject([{ event: 'queries.query_restored', detail: { versionNumber: 1 } }]);
  });

  test('the change history contains versions and locks, and can be filtered by step, source and time', async () => {
    const { id, query, first } = await twoVersions();
    for (const isLocked of [true, true, false])
      await call('editor', `POST /svc/api/queries/${id}/lock`, { body: { isLocked } });
    await save(id, 'select 2 as n', { name: 'Renamed' });
    await restore('editor', first.id, { changeReason: 'Back' });
    const history = async (query = '') =>
      (await call('viewer', `GET /svc/api/queries/${id}/change-history${query}`)).body;
    const all = await history();
    expect(all.totalCount).toBe(6);
    expect(
      all.items.map((entry: Record<string, unknown>) => [entry['kind'], entry['versionNumber']]),
    ).toEqual([
      ['Version', 4],
      ['Version', 3],
      ['Unlocked', null],
      ['Locked', null],
      ['Version', 2],
      ['Version', 1],
    ]);
    expect(all.items[0]).toMatchObject({ source: 'Restore', reason: 'Back', byUserName: 'editor' });
    expect(all.items[1]).toMatchObject({ source: 'User', parts: ['Name'] });
    expect(all.items[2]).toMatchObject({ source: null, parts: [], byUserName: 'editor' });
    const numbers = ({ items }: { items: { versionNumber: number }[] }) =>
      items.map(({ versionNumber }) => versionNumber);
    expect(numbers(await history(`?stepKey=${query.steps[0].key.toUpperCase()}`))).toEqual([4, 2, 1]);
    expect(numbers(await history('?source=Restore'))).toEqual([4]);
    const since = all.items[3].at;
    expect((await history(`?from=${since}`)).totalCount).toBeGreaterThanOrEqual(3);
    expect((await history(`?to=${since}`)).items.every(({ at }: { at: string }) => at < since)).toBe(true);
    expect((await history('?sort=at&pageSize=1')).items).toMatchObject([{ versionNumber: 1 }]);
  });
});

describe('400', () => {
  test('versions of different queries cannot be compared', async () => {
    const [one, other] = [await twoVersions(), await twoVersions()];
    const path = `query-versions/diff?from=${one.first.id}&to=${other.first.id}`;
    expect(await call('viewer', `GET /svc/api/${path}`)).toMatchObject({
      status: 400,
      body: { code: 'different-queries' },
    });
  });

  test('a version without steps cannot be previewed', async () => {
    const { first } = await twoVersions({ steps: [] });
    const answer = await call('viewer', `POST /svc/api/query-versions/${first.id}/preview`, { body: {} });
    expect(answer).toMatchObject({ status: 400, body: { code: 'query-empty' } });
  });

  test('a reason longer than 2,000 characters is refused', async () => {
    const { first } = await twoVersions();
    expect(await restore('editor', first.id, { changeReason: 'x'.repeat(2_001) })).toMatchObject({
      status: 400,
    });
  });
});

describe('403', () => {
  test('a caller who can only read the project cannot restore a version', async () => {
    const { first, id } = await twoVersions();
    expect(await restore('viewer', first.id)).toMatchObject({ status: 403 });
    expect(await restore('readKey', first.id)).toMatchObject({ status: 403 });
    expect((await call('viewer', `GET /svc/api/queries/${id}`)).body.versionNumber).toBe(2);
  });
});

describe('404', () => {
  test('versions of a query that the caller cannot read do not exist', async () => {
    const { id, first, second } = await twoVersions();
    const { first: otherFirst } = await twoVersions();
    for (const path of [
      `queries/${id}/versions`,
      `queries/${id}/change-history`,
      `query-versions/${first.id}`,
      `query-versions/diff?from=${first.id}&to=${second.id}`,
      `query-versions/diff?from=${first.id}&to=${otherFirst.id}`,
    ])
      expect(await call('stranger', `GET /svc/api/${path}`), path).toMatchObject({ status: 404 });
    const preview = `query-versions/${first.id}/preview`;
    expect(await call('stranger', `POST /svc/api/${preview}`, { body: {} })).toMatchObject({ status: 404 });
    expect(await restore('stranger', first.id)).toMatchObject({ status: 404 });
  });

  test('an unknown version does not exist', async () => {
    const { first } = await twoVersions();
    for (const path of [missingId, `diff?from=${first.id}&to=${missingId}`])
      expect(await call('viewer', `GET /svc/api/query-versions/${path}`)).toMatchObject({ status: 404 });
    expect(await restore('editor', missingId)).toMatchObject({ status: 404 });
  });
});

describe('409', () => {
  test('the current definition cannot be restored, from any version with the same content', async () => {
    const { id, first, second } = await twoVersions();
    expect(await restore('editor', second.id)).toMatchObject({
      status: 409,
      body: { code: 'already-active' },
    });
    await restore('editor', first.id);
    expect(await restore('editor', first.id)).toMatchObject({
      status: 409,
      body: { code: 'already-active' },
    });
    expect((await call('viewer', `GET /svc/api/queries/${id}`)).body.versionNumber).toBe(3);
  });
});

describe('412', () => {
  test('a query that changed after it was read is not restored', async () => {
    const { first } = await twoVersions();
    expect(await restore('editor', first.id, {}, { 'if-match': '"1"' })).toMatchObject({ status: 412 });
  });
});
