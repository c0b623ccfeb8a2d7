import type { DefinitionKind, Endpoint } from '@svc/contract';
import * as contract from '@svc/contract';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exported, type Files, makeEveryKind, makeSettings, planAndApply } from './testing/records.ts';

type Ids = Readonly<Record<DefinitionKind, number>> & { readonly recipient2: number };
type Request = { readonly path?: string; readonly body?: object };

const versionId = 1;
/** Requests of all operations that edit a record. Each request changes a member of its file. */
const requests: Readonly<Record<string, (ids: Ids, fixture: RunFixture) => Request>> = {
  updateDataSource: () => ({ body: { description: 'By hand' } }),
  archiveDataSource: () => ({}),
  updateRecipient: (_ids, { sink }) => ({
    body: { notificationType: 'Webhook', name: 'By hand', destination: sink.urlOf('/hand') },
  }),
  deleteRecipient: () => ({}),
  updateProject: () => ({ body: { description: 'By hand' } }),
  setProjectAccessMode: () => ({ body: { accessMode: 'Restricted' } }),
  linkProjectDataSource: ({ DataSource }) => ({ body: { dataSourceId: DataSource } }),
  unlinkProjectDataSource: ({ Project, DataSource }) => ({
    path: `/svc/api/projects/${Project}/data-sources/${DataSource}`,
  }),
  archiveProject: () => ({}),
  updateQuery: (_ids, { sourceId }) => ({
    body: { name: 'By hand', steps: [{ dataSourceId: sourceId, sql: 'select 7 as n' }] },
  }),
  restoreQueryVersion: () => ({ path: `/svc/api/query-versions/${versionId}/restore`, body: {} }),
  replaceDataContract: ({ DataSource, Project }) => ({
    body: {
      projectId: Project,
      dataSourceId: DataSource,
      schemaName: 'public',
      tableName: 'orders',
      name: 'By hand',
      rules: [{ name: 'Some rows', type: 'Volume', config: { minRows: 1 } }],
    },
  }),
  addDataContractRecipients: ({ recipient2 }) => ({ body: { recipientIds: [recipient2] } }),
  removeDataContractRecipient: ({ Contract, Recipient }) => ({
    path: `/svc/api/data-quality/contracts/${Contract}/recipients/${Recipient}`,
  }),
  archiveDataContract: () => ({}),
  updateSubscription: () => ({ body: { maxRows: 3 } }),
  addSubscriptionRecipients: ({ recipient2 }) => ({ body: { recipientIds: [recipient2] } }),
  removeSubscriptionRecipient: ({ Subscription, Recipient }) => ({
    path: `/svc/api/subscriptions/${Subscription}/recipients/${Recipient}`,
  }),
  setSubscriptionSla: () => ({ body: { slaHours: 9 } }),
  replaceSubscription: () => ({ body: { cronExpression: '0 7 * * *' } }),
  archiveSubscription: () => ({}),
  updateMigrationJob: ({ DataSource }) => ({
    body: {
      name: 'By hand',
      mode: 'Insert',
      source: { kind: 'Query', sql: 'select 1 as id' },
      dataSourceId: DataSource,
      destinationDataSourceId: DataSource,
      destination: { schema: 'public', table: 'elsewhere' },
    },
  }),
  archiveMigrationJob: () => ({}),
  updateAdminSettings: () => ({ body: { defaultTimeZone: 'UTC' } }),
  updateMcpSettings: () => ({ body: { maxRows: 3 } }),
  updateMcpProjectSettings: () => ({ body: { maxRows: 3 } }),
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'access' in value;
const edits = (Object.values(contract) as readonly unknown[])
  .filter(isEndpoint)
  .flatMap(({ edits: kind, operationId, method, path }) =>
    kind ? [{ kind, operationId, method, path }] : [],
  )
  .toSorted((left, right) => order(left.operationId) - order(right.operationId));
function order(operationId: string): number {
  return Object.keys(requests).indexOf(operationId);
}

let fixture: RunFixture;
let ids: Ids;
let files: Files;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0, 'Svc:Migrations:Enabled': true } });
  await makeEveryKind(fixture);
  await makeSettings(fixture);
  const { root, projectId, sourceId, svc } = fixture;
  const idsOf = async (path: string): Promise<number[]> =>
    (await root.get(`${path}?pageSize=200&sort=createdTime`)).body.items.map(({ id }: { id: number }) => id);
  const [first = 0, second = 0] = await idsOf('/svc/api/recipients');
  const [queryId = 0] = await idsOf('/svc/api/queries');
  const subscriptions = await idsOf('/svc/api/subscriptions');
  const [contractId = 0] = await idsOf('/svc/api/data-quality/contracts');
  const [jobId = 0] = await idsOf('/svc/api/migrations/jobs');
  ids = {
    DataSource: sourceId,
    Recipient: first,
    recipient2: second,
    Project: projectId,
    Query: queryId,
    Contract: contractId,
    Subscription: subscriptions[1] ?? 0,
    MigrationJob: jobId,
    Settings: 1,
    McpSettings: 1,
    McpProjectSettings: projectId,
  };
  const [version] = await svc.sql<{ id: number }>(
    `select min(id)::int as id from svc.query_versions where query_id = ${queryId}`,
  );
  expect(version?.id).toBe(versionId);
  files = await exported(root);
  const results = await planAndApply(root, files, { managed: true });
  expect(results.filter(({ outcome }) => outcome !== 'Nothing')).toEqual([]);
}, 120_000);
afterAll(() => fixture.close());

/** Sends an edit as the first administrator. */
const ask = ({ kind, operationId, method, path }: (typeof edits)[number]) => {
  const request = requests[operationId]?.(ids, fixture);
  if (!request) throw new Error(`There is no request for ${operationId}, which edits a ${kind}.`);
  const at = request.path ?? path.replace(/\{(id|projectId)\}/, String(ids[kind]));
  return fixture.root.send(method, at, request.body);
};

describe('status 409', () => {
  test.each(edits)('refuses $operationId with 409 while its $kind is managed', async (edit) => {
    const { status, body } = await ask(edit);
    expect([status, body.code]).toEqual([409, 'managed-from-code']);
    expect(body.detail).toBe(
      'This is managed from the files of default: change it there and apply them, or ask an Admin to release it.',
    );
  });

  test('refuses a new slug and a bulk archive of managed records', async () => {
    const object = `/svc/api/definitions/objects/Query/${ids.Query}`;
    expect((await fixture.root.patch(object, { slug: 'by-hand' })).body.code).toBe('managed-from-code');
    const bulk = { subscriptionIds: [ids.Subscription], act: 'Archive' };
    const { body } = await fixture.root.post('/svc/api/subscriptions/bulk', bulk);
    expect(body.results).toMatchObject([{ isDone: false, code: 'managed-from-code' }]);
  });

  test('refuses to archive a project with managed records, even if the project is not managed', async () => {
    const release = `/svc/api/definitions/objects/Project/${ids.Project}/release`;
    expect((await fixture.root.post(release)).body.isManaged).toBe(false);
    const { status, body } = await fixture.root.delete(`/svc/api/projects/${ids.Project}`);
    expect([status, body.code]).toEqual([409, 'managed-from-code']);
    await planAndApply(fixture.root, files, { managed: true });
  });

  test('none of the refused requests changed the content of the files', async () => {
    expect(await exported(fixture.root)).toEqual(files);
  });
});

test('a user who cannot see a managed record gets 404 instead of 409', async () => {
  const { root, person } = fixture;
  const hidden = await fixture.make('/svc/api/projects', { name: 'Hidden' });
  await root.put(`/svc/api/projects/${hidden.id}/access-mode`, { accessMode: 'Restricted' });
  await planAndApply(root, await exported(root), { managed: true, manager: 'hidden' });
  const editor = await person('editor', 'Editor');
  expect((await editor.patch(`/svc/api/projects/${hidden.id}`, { name: 'x' })).status).toBe(404);
  expect((await root.patch(`/svc/api/projects/${hidden.id}`, { name: 'x' })).status).toBe(409);
});

test('a user without the right to change a managed record gets permission-required', async () => {
  const viewer = await fixture.person('viewer', 'Viewer');
  const { body } = await viewer.patch(`/svc/api/projects/${ids.Project}`, { description: 'x' });
  expect(body.code).toBe('permission-required');
});

describe('released records', () => {
  // Requests that archive or unlink run last, in the order of the references.
  const last = [
    'archiveSubscription',
    'archiveDataContract',
    'archiveMigrationJob',
    'unlinkProjectDataSource',
    'deleteRecipient',
    'archiveDataSource',
    'archiveProject',
    'linkProjectDataSource',
  ];
  const rank = (operationId: string) => last.indexOf(operationId);
  const inOrder = edits.toSorted((left, right) => rank(left.operationId) - rank(right.operationId));

  beforeAll(async () => {
    const { rows } = await fixture.svc.database.query<{ kind: string; id: number }>(
      'select kind, record_id as id from svc.managed_objects where is_managed',
    );
    for (const { kind, id } of rows) {
      const { status } = await fixture.root.post(`/svc/api/definitions/objects/${kind}/${id}/release`);
      expect(status).toBe(200);
    }
  });

  test.each(inOrder)('$operationId is no longer refused as managed', async (edit) => {
    const { status, body } = await ask(edit);
    expect([edit.operationId, body?.code]).not.toEqual([edit.operationId, 'managed-from-code']);
    expect(status).not.toBe(500);
  });
});
