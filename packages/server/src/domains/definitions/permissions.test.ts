import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planned } from './testing/records.ts';

let fixture: RunFixture;
const clients = new Map<string, Awaited<ReturnType<RunFixture['person']>>>();
const roles = {
  curator: ['Editor'],
  userAdmin: ['Editor', 'UserAdmin'],
  securityAdmin: ['Editor', 'SecurityAdmin'],
} as const;
/** A ProjectAdmin of both projects, with the roles of the same name. */
type User = keyof typeof roles;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0, 'Svc:Migrations:Enabled': true } });
  const { root, projectId, sourceId, make } = fixture;
  await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`);
  const { id: closed } = await make('/svc/api/projects', { name: 'Closed' });
  for (const [userName, of] of Object.entries(roles)) {
    clients.set(userName, await fixture.person(userName, of));
    for (const id of [projectId, closed])
      await make(`/svc/api/projects/${id}/members`, { userName, role: 'ProjectAdmin' });
  }
  await root.put(`/svc/api/projects/${closed}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

const contract = `name: Own
dataSource: the-watched-source
schemaName: public
tableName: orders
rules: [{ name: Own, type: CustomSql, config: { kind: Verdict, sql: select true as passed } }]
`;
const job = `name: Copy
dataSource: the-watched-source
source: { kind: Query, sql: select id from orders }
destinationDataSource: the-watched-source
destination: { schema: public, table: copied }
mode: Insert
`;
const recipient = 'name: R\nnotificationType: Webhook\ndestination: { secret: R }\n';

/** Changes that a ProjectAdmin may not make by a request: the path and the text of the file, and the missing role. */
const refused: readonly (readonly [
  what: string,
  user: User,
  path: string,
  content: string,
  missing: string,
])[] = [
  ['opening a restricted project', 'userAdmin', 'projects/closed/project.yaml', 'name: Closed\n', 'Admin'],
  ['unlinking a data source', 'curator', 'projects/shop/project.yaml', 'name: Shop\n', 'Admin'],
  ['a rule of custom SQL', 'curator', 'projects/shop/contracts/own.yaml', contract, 'Admin'],
  ['a recipient', 'curator', 'recipients/r.yaml', recipient, 'SecurityAdmin'],
  ['a migration job', 'curator', 'migrations/copy.yaml', job, 'MigrationOperator'],
  [
    'the base URL',
    'securityAdmin',
    'settings/service.yaml',
    'baseUrl: https://svc.example.org/svc\n',
    'Admin',
  ],
];

test.each(refused)(
  'the plan refuses %s to the user %s, as the request does',
  async (...[, user, path, content, missing]) => {
    const client = clients.get(user);
    if (!client) throw new Error(`No client of ${user}.`);
    const { steps } = await planned(client, [{ path, content }], {
      secrets: { R: 'https://hooks.example.com/in' },
    });
    expect(steps).toMatchObject([{ action: 'NotAllowed', reason: expect.stringContaining(missing) }]);
  },
);
