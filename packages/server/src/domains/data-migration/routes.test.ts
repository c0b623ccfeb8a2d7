import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MigrationFixture, migrations, startMigrationFixture } from './testing/fixture.ts';

let fixture: MigrationFixture;
let operator: HttpClient;

beforeAll(async () => {
  fixture = await startMigrationFixture();
  ({ operator } = fixture);
});
afterAll(() => fixture.close());

beforeEach(async () => {
  const table = 'drop table if exists orders; create table orders (id int primary key, state text)';
  await fixture.destination.sql(table);
  await fixture.source.sql(`${table}; insert into orders select n, 'new' from generate_series(1, 3000) as n`);
});

const count = async () => (await fixture.rows('select count(*)::int as n from orders'))[0];
const statusOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await answer;
  return [status, body?.code];
};

describe('status 200', () => {
  test('a job is saved with its defaults, changed, listed by part of its name and archived', async () => {
    const id = await fixture.addJob({ name: 'Copy of orders', mode: 'Truncate' });
    const job = await operator.get(`${migrations}/jobs/${id}`);
    expect(job.headers.get('etag')).toBe('"1"');
    expect(job.body).toMatchObject({
      personalData: 'Refuse',
      onRejectedRow: 'Fail',
      minimumSourceRows: 1,
      deletedShareMax: 0.2,
      timeoutMinutes: 30,
      dataSourceName: 'From',
      destinationDataSourceName: 'To',
      isRunning: false,
    });
    const changed = await operator.put(
      `${migrations}/jobs/${id}`,
      fixture.definition({ name: 'Copied orders' }),
    );
    expect(changed.body).toMatchObject({ name: 'Copied orders', version: 2, minimumSourceRows: 0 });
    const answer = await operator.get(`${migrations}/jobs?search=COPIED`);
    expect(answer.body).toMatchObject({ totalCount: 1, items: [{ id }] });
    expect((await operator.delete(`${migrations}/jobs/${id}`)).status).toBe(204);
    expect((await operator.get(`${migrations}/jobs/${id}`)).status).toBe(404);
  });

  test('the list of data sources states which of them accept writes', async () => {
    const { body } = await operator.get(`${migrations}/data-sources`);
    expect(body.items).toEqual([
      { id: fixture.sourceId, name: 'From', engine: 'PostgreSQL', canWrite: false },
      { id: fixture.destinationId, name: 'To', engine: 'PostgreSQL', canWrite: true },
    ]);
  });

  test('validation returns the mapping and the issues, and writes nothing', async () => {
    await fixture.destination.sql('alter table orders add place text not null');
    const id = await fixture.addJob();
    const { body } = await operator.post(`${migrations}/jobs/${id}/validate`);
    expect(body).toMatchObject({
      isOk: false,
      keyColumns: ['id'],
      issues: [{ code: 'column-without-source' }],
    });
    expect(body.mapping.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`)).toEqual([
      'id id',
      'state state',
    ]);
    expect(await count()).toEqual({ n: 0 });
  });
});

describe('status 202', () => {
  test('a copy runs in the background, and its end is in the history and the audit log', async () => {
    const id = await fixture.addJob();
    const execution = await fixture.ended(await fixture.run(id));
    expect(execution).toMatchObject({
      status: 'Completed',
      stage: 'Committing',
      reason: null,
      trigger: 'Manual',
      attempt: 1,
      rowsRead: 3000,
      rowsInserted: 3000,
      rowsUpdated: 0,
      rowsRejected: 0,
      estimatedRows: expect.any(Number),
    });
    expect(await count()).toEqual({ n: 3000 });
    const { body } = await fixture.root.get('/svc/api/mcp/audit?event=migrations.execution_completed');
    expect(body.items[0]).toMatchObject({
      subjectId: id,
      detail: { executionId: execution.id, rowsInserted: 3000 },
    });
    const list = await operator.get(`${migrations}/executions?migrationJobId=${id}&status=Completed`);
    expect(list.body).toMatchObject({ totalCount: 1, items: [{ id: execution.id }] });
    // The end is stored before the staging tables are dropped.
    await until('the end of its tables', async () => {
      const left = await fixture.rows(`select relname from pg_class where relname like 'svc\\_staging%'`);
      return left.length === 0 ? true : undefined;
    });
  });

  test('a trial reports its effect and writes nothing', async () => {
    const id = await fixture.addJob();
    const trial = await fixture.ended(await fixture.run(id, { isTrial: true }));
    expect(trial).toMatchObject({ status: 'Completed', isTrial: true, rowsRead: 1000, rowsInserted: 1000 });
    expect(trial.estimatedRows).toBeNull();
    expect(await count()).toEqual({ n: 0 });
  });

  test('rejected rows are listed with key, column and code, and the copy is a partial success', async () => {
    await fixture.destination.sql('alter table orders alter state type varchar(3)');
    await fixture.source.sql(`update orders set state = 'too long' where id in (5, 7)`);
    const id = await fixture.addJob({ onRejectedRow: 'Skip' });
    const execution = await fixture.ended(await fixture.run(id));
    expect(execution).toMatchObject({ status: 'PartialSuccess', rowsInserted: 2998, rowsRejected: 2 });
    const { body } = await operator.get(`${migrations}/executions/${execution.id}/rejected`);
    expect(body.items).toMatchObject([
      { key: '5', column: 'state', code: 'too-long' },
      { key: '7', column: 'state', code: 'too-long' },
    ]);
    expect(JSON.stringify(body)).not.toContain('too long');
  });

  test('a failed copy sends its owner a notice and can be retried, automatically up to the limit and manually', async () => {
    await fixture.destination.sql('drop table orders');
    const id = await fixture.addJob();
    const failed = await fixture.ended(await fixture.run(id));
    expect(failed).toMatchObject({ status: 'Failed', reason: 'schema-changed' });
    const notices = await operator.get('/svc/api/notices');
    expect(notices.body.items[0]).toMatchObject({ kind: 'MigrationFailed', subjectId: id });
    await fixture.destination.sql('create table orders (id int primary key, state text)');
    const again = await operator.post(`${migrations}/executions/${failed.id}/retry`);
    expect(again.status).toBe(202);
    const retried = await fixture.ended(again.body.executionId);
    expect(retried).toMatchObject({ status: 'Completed', trigger: 'Retry', retryOf: failed.id });
    expect(await statusOf(operator.post(`${migrations}/executions/${retried.id}/retry`))).toEqual([
      409,
      'migration-not-failed',
    ]);
    await fixture.source.sql('drop table orders');
    const willTry = await fixture.addJob({ retriesMax: 1 });
    await fixture.ended(await fixture.run(willTry));
    const { body } = await operator.get(`${migrations}/executions?migrationJobId=${willTry}`);
    expect(body.items).toMatchObject([
      { status: 'Queued', attempt: 2, trigger: 'Retry' },
      { status: 'Failed', reason: 'source-failed', attempt: 1 },
    ]);
    expect((await operator.post(`${migrations}/executions/${body.items[0].id}/cancel`)).status).toBe(202);
  });

  test('an incremental copy continues after the last row of the previous copy', async () => {
    const id = await fixture.addJob({ incremental: { column: 'id', lookbackSeconds: 0 } });
    expect(await fixture.ended(await fixture.run(id))).toMatchObject({ rowsRead: 3000, watermark: '3000' });
    await fixture.source.sql(`insert into orders values (3001, 'late')`);
    expect(await fixture.ended(await fixture.run(id))).toMatchObject({ rowsRead: 1, watermark: '3001' });
  });

  test.each(['cancelled', 'writes-closed'] as const)(
    'a copy that waits for a lock ends with the reason %s',
    async (reason) => {
      const holder = await fixture.destination.pool.connect();
      await holder.query('begin; lock table orders in share mode');
      const id = await fixture.addJob();
      const executionId = await fixture.run(id);
      expect(await statusOf(operator.post(`${migrations}/jobs/${id}/run`, {}))).toEqual([
        409,
        'migration-running',
      ]);
      expect(await statusOf(operator.delete(`${migrations}/jobs/${id}`))).toEqual([409, 'migration-running']);
      const writes = `/svc/api/data-sources/${fixture.destinationId}/migration-writes`;
      if (reason === 'cancelled') await operator.post(`${migrations}/executions/${executionId}/cancel`);
      else await fixture.root.put(writes, { isAllowed: false });
      const execution = await fixture.ended(executionId);
      await holder.query('rollback');
      holder.release();
      await fixture.root.put(writes, { isAllowed: true });
      expect(execution).toMatchObject({ reason, status: reason === 'cancelled' ? 'Cancelled' : 'Failed' });
      expect(await count()).toEqual({ n: 0 });
      expect(await statusOf(operator.post(`${migrations}/executions/${executionId}/cancel`))).toEqual([
        409,
        'migration-ended',
      ]);
    },
  );
});

describe('status 304', () => {
  test('an unchanged copy is not returned again for its tag, and a changed copy is returned', async () => {
    const id = await fixture.addJob();
    const { id: executionId } = await fixture.ended(await fixture.run(id));
    const path = `${migrations}/executions/${executionId}`;
    const tag = (await operator.get(path)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await operator.get(path, { headers: { 'if-none-match': ifNoneMatch } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    await fixture.svc.sql('update svc.migration_executions set rows_read = rows_read + 1 where id = $1', [
      executionId,
    ]);
    const changed = await operator.get(path, { headers: { 'if-none-match': tag } });
    expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
    expect(changed.body.rowsRead).toBe(3001);
  });
});

describe('status 400', () => {
  test.each([
    ['an invalid schedule', { cronExpression: 'often' }],
    ['a schedule that is too dense', { cronExpression: '* * * * * *' }],
    ['an unknown mode', { mode: 'Replace' as 'Sync' }],
    ['a source of an unknown kind', { source: { kind: 'File' } as never }],
    ['too many retries', { retriesMax: 11 }],
  ])('refuses %s with 400', async (_what, change) => {
    expect((await operator.post(`${migrations}/jobs`, fixture.definition(change))).status).toBe(400);
  });

  test('refuses a read-only destination with 400', async () => {
    const { id } = (
      await fixture.svc.database.query(`insert into svc.data_sources (name, engine, connection_shown, connection_sealed,
        metadata_options) values ('Files', 'SQLite', '{}', 'x', '{}') returning id`)
    ).rows[0];
    const body = fixture.definition({ destinationDataSourceId: id });
    expect(await statusOf(operator.post(`${migrations}/jobs`, body))).toEqual([
      400,
      'destination-not-writable',
    ]);
  });
});

const routes = [
  ['GET', '/data-sources'],
  ['GET', '/data-sources/1/tables'],
  ['POST', '/preview'],
  ['GET', '/jobs'],
  ['POST', '/jobs'],
  ['GET', '/jobs/1'],
  ['PUT', '/jobs/1'],
  ['DELETE', '/jobs/1'],
  ['POST', '/jobs/1/validate'],
  ['POST', '/jobs/1/run'],
  ['GET', '/executions'],
  ['GET', '/executions/1'],
  ['POST', '/executions/1/cancel'],
  ['POST', '/executions/1/retry'],
  ['GET', '/executions/1/rejected'],
] as const;

describe('status 401 and 403', () => {
  test('each route refuses anonymous callers with 401, and other roles and keys with 403', async () => {
    const editor = await fixture.person('editor', ['Editor', 'DataSourceAdmin']);
    const project = await addProject(fixture.root, 'Of a key');
    const key = await addKey(fixture.root, { scopes: ['Execute'], projects: [project] });
    for (const [method, path] of routes) {
      const asked = (client: HttpClient) =>
        client.send(method, `${migrations}${path}`, method === 'POST' ? {} : undefined);
      expect((await asked(fixture.svc.client())).status, `${method} ${path}`).toBe(401);
      expect((await asked(editor)).status, `${method} ${path}`).toBe(403);
      expect((await asked(fixture.svc.client(`Bearer ${key.text}`))).status, `${method} ${path}`).toBe(403);
    }
  });

  test('saving or running an unmasked copy of personal data requires an Admin', async () => {
    const body = fixture.definition({ personalData: 'Copy' });
    expect(await statusOf(operator.post(`${migrations}/jobs`, body))).toEqual([403, 'copy-of-personal-data']);
    const id = await fixture.addJob({ personalData: 'Copy' }, fixture.root);
    expect(await statusOf(operator.post(`${migrations}/jobs/${id}/run`, {}))).toEqual([
      403,
      'copy-of-personal-data',
    ]);
  });
});

describe('status 404', () => {
  test.each(routes.filter(([, path]) => path.includes('/1')))(
    '%s %s returns 404 for an unknown id',
    async (method, path) => {
      const body =
        method === 'PUT' ? fixture.definition() : method === 'POST' && path.endsWith('run') ? {} : undefined;
      const missing = path.replace('/1', '/999999') as `/${string}`;
      expect((await operator.send(method, `${migrations}${missing}`, body)).status).toBe(404);
    },
  );

  test('returns 404 for a job with an unknown data source', async () => {
    expect(
      (await operator.post(`${migrations}/jobs`, fixture.definition({ dataSourceId: 999_999 }))).status,
    ).toBe(404);
  });
});

describe('status 409, 412 and 424', () => {
  test('refuses a closed destination with 409, an outdated version with 412 and an unreadable source with 424', async () => {
    const closed = await fixture.addJob({
      destinationDataSourceId: fixture.sourceId,
      destination: { schema: 'public', table: 'x' },
    });
    expect(await statusOf(operator.post(`${migrations}/jobs/${closed}/run`, {}))).toEqual([
      409,
      'migration-writes-closed',
    ]);
    const headers = { 'if-match': '"7"' };
    const stale = await operator.send('PUT', `${migrations}/jobs/${closed}`, fixture.definition(), {
      headers,
    });
    expect(stale.status).toBe(412);
    await fixture.source.sql('drop table orders');
    const id = await fixture.addJob();
    expect(await statusOf(operator.post(`${migrations}/jobs/${id}/validate`))).toEqual([
      424,
      'migration-source-failed',
    ]);
  });
});
