import { type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import type { Answer, Call } from '@svc/testkit/service/route-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: QueryFixture;
let call: Call;

beforeAll(async () => {
  fixture = await startQueryFixture();
  call = fixture.app.call;
});
afterAll(() => fixture.close());

const ordersSql = 'select id, total from orders order by id';
const oneStep = (sql = ordersSql, dataSourceId = fixture.sources.shop) => [{ dataSourceId, sql }];
const create = async (body: Record<string, unknown> = {}, as = 'editor'): Promise<Answer> =>
  call(as, 'POST /svc/api/queries', {
    body: { projectId: fixture.restricted, name: 'Orders', steps: oneStep(), ...body },
  });
const created = async (body: Record<string, unknown> = {}) => {
  const answer = await create(body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const pathOf = (id: number): `/svc/${string}` => `/svc/api/queries/${id}`;

describe('200', () => {
  test('the list and its count contain only queries of readable projects', async () => {
    await created({ name: 'Listed open', projectId: fixture.open, description: 'By the open project' });
    await created({ name: 'Listed restricted', steps: oneStep('select 1', fixture.sources.held) });
    const seen = async (as: string, query = '') => {
      const { body } = await call(as, `GET /svc/api/queries?search=listed${query}`);
      return [...body.items.map((item: { name: string }) => item.name), body.totalCount];
    };
    expect(await seen('editor')).toEqual(['Listed open', 'Listed restricted', 2]);
    expect(await seen('admin')).toEqual(['Listed open', 'Listed restricted', 2]);
    expect(await seen('stranger')).toEqual(['Listed open', 1]);
    expect(await seen('readKey')).toEqual(['Listed restricted', 1]);
    expect(await seen('editor', `&projectId=${fixture.open}`)).toEqual(['Listed open', 1]);
    expect(await seen('stranger', `&projectId=${fixture.restricted}`)).toEqual([0]);
    expect(await seen('editor', `&dataSourceId=${fixture.sources.held}`)).toEqual(['Listed restricted', 1]);
    expect(await seen('editor', '&sort=-name&pageSize=1')).toEqual(['Listed restricted', 2]);
    const described = await call('stranger', 'GET /svc/api/queries?search=OPEN%20PROJECT');
    expect(described.body.items).toMatchObject([{ name: 'Listed open', projectName: 'Open', stepCount: 1 }]);
  });

  test('a query is returned with its steps and with the right of the caller to change it', async () => {
    const query = await created({
      name: 'Two steps',
      steps: [
        ...oneStep(),
        { name: 'goals', dataSourceId: fixture.sources.held, sql: 'select * from targets' },
      ],
      finalQuery: 'select * from step1 limit 1',
    });
    const asViewer = await call('viewer', `GET ${pathOf(query.id)}`);
    expect(asViewer.body).toMatchObject({ canEdit: false, version: 1, isLocked: false });
    expect(asViewer.body.steps).toMatchObject([
      { order: 1, name: null, dataSourceName: 'Shop', engine: 'PostgreSQL', sql: ordersSql },
      { order: 2, name: 'goals', dataSourceName: 'Held' },
    ]);
    expect(asViewer.headers.get('etag')).toBe('"1"');
    expect((await call('editor', `GET ${pathOf(query.id)}`)).body.canEdit).toBe(true);
  });

  test('a save replaces the complete definition and increments the version', async () => {
    const query = await created({ name: 'Before', description: 'Old', finalQuery: 'select 1' });
    const saved = await call('editor', `PUT ${pathOf(query.id)}`, {
      body: {
        name: 'After',
        steps: oneStep('select 2 as n'),
        parameters: [{ name: 'days', type: 'Number', defaultValue: 7 }],
      },
      headers: { 'if-match': '"1"' },
    });
    expect(saved).toMatchObject({
      status: 200,
      body: { name: 'After', description: null, finalQuery: null, version: 2 },
    });
    expect(saved.headers.get('etag')).toBe('"2"');
    const read = await call('viewer', `GET ${pathOf(query.id)}`);
    expect(read.body.steps).toHaveLength(1);
    expect(read.body.parameters).toMatchObject([{ name: 'days', type: 'Number', defaultValue: 7 }]);
  });

  test('locking is idempotent and can be undone', async () => {
    const query = await created();
    const lock = (isLocked: boolean) =>
      call('editor', `POST ${pathOf(query.id)}/lock`, { body: { isLocked } });
    expect((await lock(true)).body).toMatchObject({ isLocked: true, version: 2 });
    expect((await lock(true)).body).toMatchObject({ isLocked: true, version: 2 });
    expect((await lock(false)).body).toMatchObject({ isLocked: false, version: 3 });
  });
});

describe('201', () => {
  test('a query is created empty or complete, and the response contains its address', async () => {
    const empty = await create({ name: '  Empty  ', steps: undefined });
    expect(empty).toMatchObject({ status: 201, body: { name: 'Empty', steps: [], version: 1 } });
    expect(empty.headers.get('location')).toBe(pathOf(empty.body.id));
    expect(empty.headers.get('etag')).toBe('"1"');
    const complete = await create({}, 'executeKey');
    expect(complete.status).toBe(201);
    const { rows } = await fixture.database.query(
      "select event from svc.audit_events where subject_kind = 'query' and subject_id = $1",
      [complete.body.id],
    );
    expect(rows).toEqual([{ event: 'queries.query_created' }]);
  });
});

describe('400', () => {
  test.each([
    ['without a name', { name: ' ' }],
    ['with an unknown member', { folder: 1 }],
    ['with a blank statement', { steps: [{ dataSourceId: 1, sql: '  ' }] }],
    ['with a parameter of an unknown type', { parameters: [{ name: 'a', type: 'Money' }] }],
    [
      'with a default that is not of its type',
      { parameters: [{ name: 'a', type: 'Date', defaultValue: 'x' }] },
    ],
    [
      'with one parameter declared twice',
      {
        parameters: [
          { name: 'a', type: 'Date' },
          { name: 'A', type: 'Date' },
        ],
      },
    ],
  ])('a query %s is refused', async (_what, change) => {
    expect((await create(change)).status).toBe(400);
  });

  test('a step on a source that is not linked to the project is refused, and the error names the step', async () => {
    const steps = [...oneStep(), ...oneStep('select 1', fixture.sources.unlinked)];
    const { status, body } = await create({ steps });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'step-source-not-linked',
      errors: [{ path: '/steps/1/dataSourceId' }],
    });
    // The response does not reveal whether a source exists elsewhere.
    const missing = await create({ steps: [...oneStep(), ...oneStep('select 1', 999_999)] });
    expect(missing.body.errors).toEqual(body.errors);
    const query = await created();
    const saved = await call('editor', `PUT ${pathOf(query.id)}`, { body: { name: 'x', steps } });
    expect(saved.status).toBe(400);
    expect((await call('editor', `GET ${pathOf(query.id)}`)).body.steps).toHaveLength(1);
  });
});

test('a save waits while its source is being unlinked, and is then refused', async () => {
  const { rows } = await fixture.database.query<{ id: number }>(
    "insert into svc.projects (name) values ('Leaving source') returning id",
  );
  const projectId = rows[0]?.id;
  const link = [projectId, fixture.sources.shop];
  await fixture.database.query('insert into svc.project_data_sources values ($1, $2)', link);
  const client = await fixture.database.pool.connect();
  await client.query('begin');
  await client.query(
    'delete from svc.project_data_sources where project_id = $1 and data_source_id = $2',
    link,
  );
  const saving = create({ projectId });
  const isWaiting = async (): Promise<boolean> => {
    const waiting = await fixture.database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.rowCount === 1;
  };
  await expect.poll(isWaiting).toBe(true);
  await client.query('commit');
  client.release();
  expect((await saving).body).toMatchObject({ status: 400, code: 'step-source-not-linked' });
});

describe('401', () => {
  test('a caller without credentials can read and run nothing', async () => {
    expect((await call(undefined, 'GET /svc/api/queries')).status).toBe(401);
    expect((await call(undefined, 'POST /svc/api/queries/1/preview', { body: {} })).status).toBe(401);
  });
});

describe('403', () => {
  test('a caller who can only read the project can change nothing in it', async () => {
    const query = await created();
    for (const as of ['viewer', 'readKey']) {
      expect((await create({}, as)).status).toBe(403);
      const body = { name: 'x', steps: oneStep() };
      expect((await call(as, `PUT ${pathOf(query.id)}`, { body })).status).toBe(403);
      expect((await call(as, `POST ${pathOf(query.id)}/lock`, { body: { isLocked: true } })).status).toBe(
        403,
      );
    }
    expect((await call('noRole', 'GET /svc/api/queries')).status).toBe(403);
  });
});

describe('404', () => {
  test.each([
    ['GET', '', undefined],
    ['PUT', '', { name: 'x', steps: [] }],
    ['POST', '/lock', { isLocked: true }],
    ['POST', '/preview', {}],
    ['POST', '/steps/1/preview', {}],
    ['POST', '/export', { format: 'Csv' }],
  ])(
    '%s %s of an unreadable query gets the same response as for a missing query',
    async (method, rest, body) => {
      const query = await created();
      const on = (id: number) =>
        call('stranger', `${method} ${pathOf(id)}${rest}` as `${string} /${string}`, {
          ...(body && { body }),
        });
      const [hidden, missing] = [await on(query.id), await on(999_999)];
      expect(hidden.status).toBe(404);
      expect(hidden.text).toBe(missing.text);
    },
  );

  test('a query cannot be created in a project that the caller cannot read', async () => {
    const hidden = await create({}, 'stranger');
    const missing = await create({ projectId: 999_999 }, 'stranger');
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe(missing.text);
  });

  test('a query of an archived project does not exist', async () => {
    const { rows } = await fixture.database.query<{ id: number }>(
      "insert into svc.projects (name) values ('Gone soon') returning id",
    );
    const projectId = rows[0]?.id;
    const query = await created({ projectId, steps: [] });
    await fixture.database.query('update svc.projects set archived_at = now() where id = $1', [projectId]);
    expect((await call('admin', `GET ${pathOf(query.id)}`)).status).toBe(404);
  });
});

describe('412', () => {
  test('a save of an outdated version is refused', async () => {
    const query = await created();
    const save = () =>
      call('editor', `PUT ${pathOf(query.id)}`, {
        body: { name: 'Mine', steps: oneStep() },
        headers: { 'if-match': '"1"' },
      });
    const statuses = (await Promise.all([save(), save()])).map((answer) => answer.status);
    expect(statuses.sort()).toEqual([200, 412]);
  });
});
