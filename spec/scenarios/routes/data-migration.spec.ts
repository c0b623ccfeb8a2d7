import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { addDataSource, startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const summary = '/svc/api/home/migration-summary';

scenario(
  ['RT-4.3-09'],
  'readers and MigrationOperators can read the migration summary, which contains zeros while migrations are off',
  async ({ svc }) => {
    for (const role of ['MigrationOperator', 'Viewer', 'Admin'] as const) {
      const person = await signIn(svc, await addUser(svc, `summary-${role}`, [role]));
      const answer = await person.get(summary);
      expect(answer.status, role).toBe(200);
      expect(answer.body).toEqual({ jobs: 0, running: 0, completed24h: 0, failed24h: 0 });
    }
    for (const roles of [[], ['DataSourceAdmin'], ['Approver']] as const) {
      const person = await signIn(svc, await addUser(svc, `no-summary-${roles.join('')}`, roles));
      expect((await person.get(summary)).status).toBe(403);
    }
  },
);

scenario(
  ['RT-4.3-19'],
  'only an Admin can permit data migration to write to a data source',
  async ({ svc, root }) => {
    const source = await startSource();
    const id = await addDataSource(root, await addProject(root, 'Written to'), source.connection);
    const path = `/svc/api/data-sources/${id}`;
    expect((await root.get(path)).body).toMatchObject({ areMigrationWritesAllowed: false });
    for (const role of ['DataSourceAdmin', 'MigrationOperator', 'Editor'] as const) {
      const person = await signIn(svc, await addUser(svc, `writes-${role}`, [role]));
      expect((await person.put(`${path}/migration-writes`, { isAllowed: true })).status, role).toBe(403);
    }
    const admin = await signIn(svc, await addUser(svc, 'writes-admin', ['Admin']));
    expect((await admin.put(`${path}/migration-writes`, { isAllowed: true })).status).toBe(204);
    expect((await root.get(path)).body).toMatchObject({ areMigrationWritesAllowed: true });
    const events = await root.get('/svc/api/mcp/audit?event=data_sources.migration_writes_allowed');
    expect(events.body.items).toMatchObject([{ subjectId: id }]);
    await source.close();
  },
);

scenario(
  ['RT-4.3-08'],
  'the home routes return trends, activity, a task summary, uptime and a migration summary',
  async ({ svc }) => {
    const viewer = await signIn(svc, await addUser(svc, 'home-viewer', ['Viewer']));
    const members = {
      trends: ['days', 'total'],
      activity: ['items', 'totalCount'],
      uptime: ['hours', 'uptime'],
      'migration-summary': ['jobs', 'running', 'completed24h', 'failed24h'],
    };
    for (const [path, names] of Object.entries(members)) {
      const answer = await viewer.get(`/svc/api/home/${path}`);
      expect(answer.status, path).toBe(200);
      expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(names));
    }
    expect((await viewer.get('/svc/api/home/task-summary')).status).toBe(200);
  },
);

const group = '/svc/api/migrations';

scenario(['RT-4.3-50'], 'the routes of data migration exist only while it is on', async ({ svc, root }) => {
  for (const path of ['jobs', 'executions', 'data-sources'])
    expect((await root.get(`${group}/${path}`)).status).toBe(404);
  const on = await svc.replica({ 'Svc:Migrations:Enabled': true });
  const admin = await signIn(on, await addUser(svc, 'migrates-admin', ['Admin']));
  for (const path of ['jobs', 'executions', 'data-sources'])
    expect((await admin.get(`${group}/${path}`)).status).toBe(200);
});

scenario(
  ['RT-2-12', 'RT-4.3-49', 'RT-4.3-51'],
  'a MigrationOperator can create and run a job and read its outcome; other users are refused',
  async ({ svc, root }) => {
    const on = await svc.replica({ 'Svc:Migrations:Enabled': true });
    const operator = await signIn(on, await addUser(svc, 'migrates', ['MigrationOperator']));
    const editor = await signIn(on, await addUser(svc, 'migrates-not', ['Editor', 'DataSourceAdmin']));
    const source = await startSource();
    await source.sql('create table orders (id int primary key); insert into orders values (1), (2)');
    const id = await addDataSource(root, await addProject(root, 'Migrated'), source.connection);
    await root.put(`/svc/api/data-sources/${id}/migration-writes`, { isAllowed: true });
    const definition = {
      name: 'Copy of orders',
      dataSourceId: id,
      source: { kind: 'Table', schema: 'public', table: 'orders' },
      destinationDataSourceId: id,
      destination: { schema: 'public', table: 'copied_orders' },
      createsTable: true,
      mode: 'Insert',
    };
    expect((await editor.post(`${group}/jobs`, definition)).status).toBe(403);
    const job = await operator.post(`${group}/jobs`, definition);
    expect(job.status, job.text).toBe(201);
    expect((await editor.get(`${group}/jobs`)).status).toBe(403);
    expect((await editor.post(`${group}/jobs/${job.body.id}/run`, {})).status).toBe(403);
    const started = await operator.post(`${group}/jobs/${job.body.id}/run`, {});
    expect(started.status, started.text).toBe(202);
    const path = `${group}/executions/${started.body.executionId}`;
    expect((await editor.get(path)).status).toBe(403);
    const execution = await until('the end of the copy', async () => {
      const { body } = await operator.get(path);
      return ['Queued', 'Running'].includes(body.status) ? undefined : body;
    });
    expect(execution).toMatchObject({ status: 'Completed', rowsInserted: 2, migrationJobId: job.body.id });
    const { rows } = await source.pool.query('select count(*)::int as n from copied_orders');
    expect(rows).toEqual([{ n: 2 }]);
    expect((await operator.delete(`${group}/jobs/${job.body.id}`)).status).toBe(204);
    await on.close();
    await source.close();
  },
);
