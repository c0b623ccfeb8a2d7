import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addDataSource, startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const summary = '/svc/api/home/migration-summary';

scenario(
  ['RT-4.3-09'],
  'the migration summary is for readers and MigrationOperators, with zeros while migrations are off',
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
  'an Admin, and nobody else, says whether data migration may write to a data source',
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
