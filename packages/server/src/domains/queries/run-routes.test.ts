import { orderCount, type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import type { Call } from '@svc/testkit/service/route-app.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: QueryFixture;
let call: Call;

beforeAll(async () => {
  fixture = await startQueryFixture();
  call = fixture.app.call;
});
afterAll(() => fixture.close());

const pathOf = (id: number): `/svc/${string}` => `/svc/api/queries/${id}`;
const created = async (body: Record<string, unknown>): Promise<number> => {
  const answer = await call('editor', 'POST /svc/api/queries', {
    body: { projectId: fixture.restricted, name: 'Run', ...body },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
};
const withSql = (sql: string, change: Record<string, unknown> = {}) =>
  created({ steps: [{ dataSourceId: fixture.sources.shop, sql }], ...change });
const preview = (as: string, id: number, body: Record<string, unknown> = {}, query = '') =>
  call(as, `POST ${pathOf(id)}/preview${query}`, { body });
const draft = (as: string, sql: string, change: Record<string, unknown> = {}) =>
  call(as, 'POST /svc/api/queries/preview', {
    body: {
      projectId: fixture.restricted,
      steps: [{ dataSourceId: fixture.sources.shop, sql }],
      ...change,
    },
  });

describe('200', () => {
  test('a Viewer previews a saved query page by page', async () => {
    const id = await withSql('select id, customer from orders order by id');
    const first = await preview('viewer', id, {}, '?pageSize=3');
    expect(first).toMatchObject({
      status: 200,
      body: {
        columns: [
          { name: 'id', kind: 'integer' },
          { name: 'customer', kind: 'text' },
        ],
        rows: [
          [1, 'Customer 1'],
          [2, 'Customer 2'],
          [3, 'Customer 3'],
        ],
        page: 0,
        pageSize: 3,
        totalCount: orderCount,
        isComplete: true,
      },
    });
    const later = await preview('viewer', id, {}, '?pageSize=3&page=2');
    expect(later.body.rows.map((row: unknown[]) => row[0])).toEqual([7, 8, 9]);
    const beyond = await preview('executeKey', id, {}, '?page=9999');
    expect(beyond.body).toMatchObject({ rows: [], totalCount: orderCount });
  });

  test('the complete result is returned in one response, regardless of the requested page', async () => {
    const id = await withSql('select id from orders order by id');
    const { body } = await preview('viewer', id, {}, '?extent=Whole&pageSize=3&page=4');
    expect(body.rows).toEqual(Array.from({ length: orderCount }, (_, index) => [index + 1]));
    expect(body).toMatchObject({ page: 0, pageCount: 1, totalCount: orderCount, isComplete: true });
  });

  test('a complete result of long texts contains fewer rows than its total count', async () => {
    const id = await withSql("select repeat('x', 100000) as long from generate_series(1, 300) n");
    const { body } = await preview('viewer', id, {}, '?extent=Whole');
    expect(body).toMatchObject({ totalCount: 300, isComplete: true });
    expect(body.rows).toHaveLength(160);
  });

  test('personal data is masked in previews and files', async () => {
    const id = await withSql('select id, email from orders order by id limit 1');
    const shown = await preview('viewer', id);
    expect(shown.text).not.toContain('c1@example.org');
    expect(shown.body.columns).toMatchObject([
      { isMasked: false, maskedReason: null },
      { name: 'email', isMasked: true, maskedReason: expect.stringContaining('Values of orders.email flow') },
    ]);
    const file = await call('viewer', `POST ${pathOf(id)}/export`, { body: { format: 'Csv' } });
    expect(file.text).not.toContain('c1@example.org');
  });

  test('parameters are bound as values, and omitted parameters have their defaults', async () => {
    const id = await withSql('select id from orders where id <= {{most}} and customer = {{who}}', {
      parameters: [
        { name: 'most', type: 'Number', defaultValue: 5 },
        { name: 'who', type: 'String' },
      ],
    });
    const match = await preview('viewer', id, { parameters: { who: 'Customer 4' } });
    expect(match.body.rows).toEqual([[4]]);
    const none = await preview('viewer', id, { parameters: { most: 3, who: 'Customer 4' } });
    expect(none.body.rows).toEqual([]);
    const hostile = await preview('viewer', id, { parameters: { who: "' or 1=1 --" } });
    expect(hostile.body.rows).toEqual([]);
  });

  test('the results of steps are joined in the final query, and each step has its outcome', async () => {
    const id = await created({
      steps: [
        { name: 'sold', dataSourceId: fixture.sources.shop, sql: 'select count(*) as n from orders' },
        { name: 'goals', dataSourceId: fixture.sources.held, sql: 'select * from targets' },
      ],
      finalQuery: 'select goals.region, sold.n > goals.target as reached from sold, goals order by region',
    });
    const { body } = await preview('viewer', id);
    expect(body.rows).toEqual([
      ['north', true],
      ['south', true],
    ]);
    expect(body.steps).toMatchObject([
      { order: 1, name: 'sold', outcome: 'Succeeded', rowCount: 1 },
      { order: 2, name: 'goals', outcome: 'Succeeded', rowCount: 2 },
    ]);
    const step = await call('viewer', `POST ${pathOf(id)}/steps/2/preview`, { body: {} });
    expect(step.body).toMatchObject({ totalCount: 2, columns: [{ name: 'region' }, { name: 'target' }] });
  });

  test('a step is previewed with only the parameters that it uses', async () => {
    const id = await created({
      steps: [
        { dataSourceId: fixture.sources.shop, sql: 'select {{a}} as a' },
        { dataSourceId: fixture.sources.shop, sql: 'select {{ b }} as b' },
      ],
      parameters: [
        { name: 'a', type: 'Number' },
        { name: 'b', type: 'String' },
      ],
    });
    const step = await call('viewer', `POST ${pathOf(id)}/steps/2/preview`, {
      body: { parameters: { a: 1, b: 'x' } },
    });
    expect(step.body.rows).toEqual([['x']]);
  });

  test('a draft runs without being saved', async () => {
    const answer = await draft('editor', 'select {{n}} + 1 as next', {
      parameters: [{ name: 'n', type: 'Number' }],
      values: { n: 41 },
    });
    expect(answer.body.rows).toEqual([[42]]);
    const { rows } = await fixture.database.query("select from svc.queries where name = ''");
    expect(rows).toEqual([]);
  });

  test('the complete result is exported as CSV, JSON and XLSX, and each export is audited', async () => {
    const id = await withSql('select id, customer from orders order by id', { name: 'Alle Aufträge' });
    const write = (format: string) => call('viewer', `POST ${pathOf(id)}/export`, { body: { format } });
    const csv = await write('Csv');
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toContain("filename*=UTF-8''Alle-Auftr%C3%A4ge.csv");
    const lines = csv.text.trim().split('\r\n');
    expect(lines).toHaveLength(orderCount + 1);
    expect(lines.at(-1)).toContain(`Customer ${orderCount}`);
    const json = await write('Json');
    expect(json.body).toHaveLength(orderCount);
    expect(json.body[0]).toEqual({ id: 1, customer: 'Customer 1' });
    const xlsx = await write('Xlsx');
    expect(xlsx.text.startsWith('PK')).toBe(true);
    const { rows } = await fixture.database.query<{ count: number }>(
      "select count(*) from svc.audit_events where event = 'queries.result_exported' and subject_id = $1",
      [id],
    );
    expect(rows[0]?.count).toBe(3);
  });
});

describe('400', () => {
  test('a faulty statement is reported with its code and its position in the original text', async () => {
    const { status, body } = await draft(
      'editor',
      'select id\nfrom orders\nwhere {{n}} = 1 and nothing = 1',
      {
        parameters: [{ name: 'n', type: 'Number', defaultValue: 1 }],
      },
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'statement-failed', errors: [{ path: '/steps/0/sql' }] });
    expect(body.errors[0].message).toMatch(/nothing.*\(line 3, column 21\)/s);
  });

  test.each([
    ['delete from orders', /^(not-a-read|read-only)$/],
    ['select 1; delete from orders', /^more-than-one-statement$/],
    [
      'with gone as (delete from orders returning 1) select * from gone',
      /^(not-a-read|read-only|syntax-refused)$/,
    ],
    ["select pg_advisory_lock(1), set_config('a.b', '1', false)", /^function-refused$/],
  ])('%s is refused and changes nothing', async (sql, code) => {
    const { status, body } = await draft('editor', sql);
    expect(status).toBe(400);
    expect(body.code).toMatch(code);
    const remaining = await draft('editor', 'select count(*) from orders');
    expect(remaining.body.rows).toEqual([[String(orderCount)]]);
  });

  test('missing, unknown and invalid parameters are refused with their own codes', async () => {
    const id = await withSql('select {{day}}', { parameters: [{ name: 'day', type: 'Date' }] });
    for (const [parameters, code] of [
      [{}, 'missing-parameter'],
      [{ day: 'soon' }, 'invalid-parameter'],
      [{ day: '2026-01-01', other: 1 }, 'unknown-parameter'],
    ]) {
      const { status, body } = await preview('viewer', id, { parameters });
      expect(status).toBe(400);
      expect(body.code).toBe(code);
      if (code !== 'unknown-parameter') expect(body.errors).toMatchObject([{ path: '/values/day' }]);
    }
  });

  test('a query without steps cannot run', async () => {
    const id = await created({ steps: [] });
    expect((await preview('viewer', id)).body).toMatchObject({ status: 400, code: 'query-empty' });
  });

  test('a result above the limit fails instead of being cut', async () => {
    const id = await withSql('select a.id from orders a, targets');
    const { status, body } = await preview('viewer', id);
    expect(status).toBe(400);
    expect(body.code).toBe('too-many-rows');
    expect(body.detail).toContain('Svc:Query:MaxExecutionRows');
    // A started file cannot become a problem response. The service cuts the connection, so that no client accepts a
    // partial file.
    await expect(call('viewer', `POST ${pathOf(id)}/export`, { body: { format: 'Csv' } })).rejects.toThrow();
  });

  test('a draft can read only sources that are linked to its project', async () => {
    const { status, body } = await draft('editor', 'select 1', {
      steps: [{ dataSourceId: fixture.sources.unlinked, sql: 'select 1' }],
    });
    expect(status).toBe(400);
    expect(body.code).toBe('step-source-not-linked');
  });
});

describe('403', () => {
  test('a Read key can run nothing, and a Viewer can run no draft', async () => {
    const id = await withSql('select 1');
    expect((await preview('readKey', id)).status).toBe(403);
    const file = await call('readKey', `POST ${pathOf(id)}/export`, { body: { format: 'Csv' } });
    expect(file.status).toBe(403);
    expect((await draft('viewer', 'select 1')).status).toBe(403);
    expect((await draft('readKey', 'select 1')).status).toBe(403);
    expect((await draft('executeKey', 'select 1')).status).toBe(200);
  });
});

describe('404', () => {
  test('a draft in an unreadable project and an unknown step do not exist', async () => {
    expect((await draft('stranger', 'select 1')).status).toBe(404);
    const id = await withSql('select 1');
    expect((await call('viewer', `POST ${pathOf(id)}/steps/2/preview`, { body: {} })).status).toBe(404);
  });
});

describe('409', () => {
  test('a query whose source was unlinked does not run', async () => {
    const { rows } = await fixture.database.query<{ id: number }>(
      "insert into svc.projects (name) values ('Unlinking') returning id",
    );
    const projectId = rows[0]?.id;
    const values = [projectId, fixture.sources.shop];
    await fixture.database.query('insert into svc.project_data_sources values ($1, $2)', values);
    const id = await withSql('select 1', { projectId });
    expect((await preview('viewer', id)).status).toBe(200);
    await fixture.database.query(
      'delete from svc.project_data_sources where project_id = $1 and data_source_id = $2',
      values,
    );
    expect((await preview('viewer', id)).body).toMatchObject({ status: 409, code: 'source-not-linked' });
  });
});

describe('a client that disconnects', () => {
  const running = async (marker: string): Promise<number> => {
    const client = new pg.Client(fixture.shop.adminConnection);
    await client.connect();
    try {
      const { rows } = await client.query<{ count: string }>(
        "select count(*) from pg_stat_activity where datname = $1 and state = 'active' and query like $2 and pid <> pg_backend_pid()",
        [fixture.shop.connection.database, `%${marker}%`],
      );
      return Number(rows[0]?.count);
    } finally {
      await client.end();
    }
  };
  const until = (marker: string, count: number): Promise<void> =>
    expect.poll(() => running(marker), { message: `statements with ${marker}` }).toBe(count);

  test.each(['preview', 'export'])('cancels the statement of its %s in the database', async (act) => {
    const marker = `going_away_${act}`;
    const id = await withSql(`select count(*) as ${marker} from generate_series(1, 10000000000)`);
    const client = new AbortController();
    const body = act === 'export' ? { format: 'Csv' } : {};
    const waiting = call('viewer', `POST ${pathOf(id)}/${act}`, { body, signal: client.signal });
    const outcome = expect(waiting).rejects.toThrow();
    await until(marker, 1);
    client.abort();
    await outcome;
    await until(marker, 0);
  });

  test('a run is stopped by its key, and the response is sent after its statement has ended', async () => {
    const marker = 'stopped_by_key';
    const id = await withSql(`select count(*) as ${marker} from generate_series(1, 10000000000)`);
    const runKey = 'a-run-of-the-viewer';
    const stop = (as: string) => call(as, `POST /svc/api/queries/runs/${runKey}/stop`);
    const waiting = preview('viewer', id, {}, `?runKey=${runKey}`);
    await until(marker, 1);
    expect((await stop('editor')).body).toEqual({ outcome: 'NotRunning' });
    expect(await running(marker)).toBe(1);
    expect((await stop('viewer')).body).toEqual({ outcome: 'Stopped' });
    await until(marker, 0);
    expect((await waiting).body).toMatchObject({ status: 400, code: 'cancelled' });
    expect((await stop('viewer')).body).toEqual({ outcome: 'NotRunning' });
    expect((await preview('viewer', id, {}, '?runKey=short')).status).toBe(400);
  });
});
