import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, setupRequest } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { acknowledgementRecipes } from './acknowledgement-requests.ts';
import { aiActorRecipes } from './ai-actor-requests.ts';
import { anomalyRecipes } from './anomaly-requests.ts';
import { askRecipes } from './ask-requests.ts';
import type { CallerKind } from './caller.ts';
import { freshChange } from './change-requests.ts';
import { dataQualityRecipes } from './data-quality-requests.ts';
import { definitionRecipes } from './definition-requests.ts';
import { documentRecipes } from './document-requests.ts';
import { documentationRecipes } from './documentation-requests.ts';
import { evalRecipes } from './eval-requests.ts';
import type { AccessRow } from './expectation.ts';
import { failedRun } from './failed-run.ts';
import { fileRecipes } from './file-requests.ts';
import type { Fixture } from './fixture.ts';
import { fresh, made } from './fresh.ts';
import { glossaryRecipes } from './glossary-requests.ts';
import { hubRecipes } from './hub-requests.ts';
import { learningRecipes } from './learning-requests.ts';
import { mcpRecipes } from './mcp-requests.ts';
import { migrationRecipes } from './migration-requests.ts';
import { queryApprovalRecipes } from './query-approval-requests.ts';
import { queryFolderRequests } from './query-folder-requests.ts';
import { queryToolRequests } from './query-tool-requests.ts';
import { queryVersionRequests } from './query-version-requests.ts';
import { recentRecipes } from './recent-requests.ts';
import { knowCheckable, knowRelationship, knowSchema, suggested } from './relationship-requests.ts';
import { repositoryRecipes } from './repository-requests.ts';
import { taskRecipes } from './task-requests.ts';
import { userRecipes } from './user-requests.ts';

/** A valid request for one cell of the matrix, about a record that no other cell consumes. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The sender. Default: the fixture's client of the kind. */
  readonly as?: HttpClient | undefined;
};

export type Recipe = (fixture: Fixture, kind: CallerKind) => Promise<Partial<Omit<Request, 'method'>>>;

/** Creates a project with the same members as the fixture's project. Returns its id. */
async function freshProject({ clients, root }: Fixture): Promise<number> {
  const { projectAdmin } = clients;
  if (!projectAdmin) throw new Error('The fixture has no project admin.');
  const id = await addProject(projectAdmin, fresh('Project'));
  for (const [userName, role] of [
    ['viewer', 'Viewer'],
    ['editor', 'Editor'],
    ['demotedOwner', 'Editor'],
    ['bearerToken', 'Editor'],
  ] as const)
    await root.post(`/svc/api/projects/${id}/members`, { userName, role });
  return id;
}

async function freshMember({ svc, root, project }: Fixture): Promise<{ userId: number; userName: string }> {
  const { userName } = await addUser(svc, fresh('member'), ['Viewer']);
  const answer = await root.post(`/svc/api/projects/${project}/members`, { userName, role: 'Viewer' });
  return { userName, userId: answer.read<{ userId: number }>().userId };
}

const source = ({ connection }: Fixture) => ({ name: fresh('Source'), engine: 'PostgreSQL', connection });
const freshSource = (fixture: Fixture) => made(fixture.root, '/svc/api/data-sources', source(fixture));
const step = ({ dataSource }: Fixture) => ({ dataSourceId: dataSource, sql: 'select 1 as one' });
const definition = (fixture: Fixture) => ({ name: fresh('Query'), steps: [step(fixture)] });
const freshQuery = (fixture: Fixture) =>
  made(fixture.root, '/svc/api/queries', { projectId: fixture.project, ...definition(fixture) });
const recipient = () => ({
  notificationType: 'Webhook',
  name: fresh('Recipient'),
  destination: 'https://hooks.example.com/in',
});
const freshRecipient = (fixture: Fixture) => made(fixture.root, '/svc/api/recipients', recipient());
const subscription = async (fixture: Fixture) => ({
  queryId: fixture.query,
  cronExpression: '0 0 1 1 *',
  recipientIds: [await freshRecipient(fixture)],
});
const freshSubscription = async (fixture: Fixture) =>
  made(fixture.root, '/svc/api/subscriptions', await subscription(fixture));
const keyFor =
  (scope: string): Recipe =>
  async ({ project }) => ({
    body: { name: fresh('Key'), scopes: [scope], allowedProjectIds: [project] },
  });

/** Creates a key of the caller, or of the editor if the caller may create none. Returns its id. */
async function ownKey({ clients, openProject }: Fixture, kind: CallerKind): Promise<number> {
  const body = { name: fresh('Key'), scopes: ['Read'], allowedProjectIds: [openProject] };
  const own = await clients[kind]?.post('/svc/api/api-keys', body);
  if (own?.status === 201) return own.read<{ id: number }>().id;
  const { editor } = clients;
  if (!editor) throw new Error('The fixture has no editor.');
  return made(editor, '/svc/api/api-keys', body);
}

/** Returns a client with an Execute key of the editor for a project. */
async function executeKeyFor({ svc, clients }: Fixture, project: number): Promise<HttpClient> {
  const { editor } = clients;
  if (!editor) throw new Error('The fixture has no editor.');
  return svc.client(`Bearer ${(await addKey(editor, { scopes: ['Execute'], projects: [project] })).text}`);
}

const projects = '/svc/api/projects';
const sources = '/svc/api/data-sources';
const queries = '/svc/api/queries';
const subscriptions = '/svc/api/subscriptions';
const recipients = '/svc/api/recipients';
const notifications = '/svc/api/notifications';

const freshRecipientAt = async (fixture: Fixture, rest: string) => ({
  path: `${recipients}/${await freshRecipient(fixture)}${rest}`,
});

/** Inserts a notice for the caller, or for another user if the caller has no user id. Returns its id. */
async function freshNotice(fixture: Fixture, kind: CallerKind): Promise<number> {
  const me = await fixture.clients[kind]?.get('/svc/api/auth/me');
  const userId = me?.status === 200 ? me.read<{ userId: number | null }>().userId : null;
  const [made] = await fixture.svc.sql<{ id: number }>(
    `insert into svc.notices (user_id, kind, subject_kind, subject_id, subject_name, project_id)
     select coalesce($2, 1), 'RunFailed', 'Subscription', s.id, q.name, q.project_id
     from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 returning id`,
    [await freshSubscription(fixture), userId],
  );
  if (!made) throw new Error('The matrix could not prepare a notice.');
  return Number(made.id);
}

/** Requests by operation. Other operations need only the fixture's project and its records. */
const recipes: Readonly<Record<string, Recipe>> = {
  'POST /svc/api/setup/superadmin': async () => ({ body: { ...setupRequest, userName: fresh('root') } }),
  'POST /svc/api/auth/login': async () => ({ body: { username: '', password: '', rememberMe: false } }),
  'POST /svc/api/auth/logout': async (fixture, kind) => ({ as: await fixture.anew(kind) }),
  [`POST ${projects}`]: async () => ({ body: { name: fresh('Project'), description: 'd' } }),
  [`PATCH ${projects}/{id}`]: async () => ({ body: { description: fresh('Described') } }),
  [`DELETE ${projects}/{id}`]: async (fixture, kind) => {
    const id = await freshProject(fixture);
    const as = kind === 'executeKey' ? await executeKeyFor(fixture, id) : undefined;
    if (!fixture.isOpen) await restrict(fixture.root, id);
    return { path: `${projects}/${id}`, as };
  },
  [`POST ${projects}/{id}/members`]: async ({ svc }) => ({
    body: { userName: (await addUser(svc, fresh('joiner'), ['Viewer'])).userName, role: 'Viewer' },
  }),
  [`PUT ${projects}/{id}/members/{userId}`]: async (fixture) => ({
    path: `${projects}/${fixture.project}/members/${(await freshMember(fixture)).userId}`,
    body: { role: 'Editor' },
  }),
  [`DELETE ${projects}/{id}/members/{userId}`]: async (fixture) => ({
    path: `${projects}/${fixture.project}/members/${(await freshMember(fixture)).userId}`,
  }),
  [`PUT ${projects}/{id}/access-mode (restricting)`]: async () => ({ body: { accessMode: 'Restricted' } }),
  [`PUT ${projects}/{id}/access-mode (opening)`]: async (fixture) => {
    const id = await freshProject(fixture);
    await restrict(fixture.root, id);
    return { path: `${projects}/${id}/access-mode`, body: { accessMode: 'Open' } };
  },
  [`GET ${sources}/{id}/relationships`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/relationships`,
  }),
  [`GET ${sources}/{id}/schema-health`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/schema-health`,
  }),
  [`GET ${sources}/{id}/schema-changes`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/schema-changes`,
  }),
  [`POST ${sources}/{id}/relationships`]: async (fixture) => ({
    path: await knowSchema(fixture, await freshSource(fixture)),
    body: suggested,
  }),
  [`PATCH ${sources}/{id}/relationships/{relationshipId}`]: async (fixture) => ({
    path: await knowRelationship(fixture, await freshSource(fixture)),
    body: { label: 'buyer' },
  }),
  [`DELETE ${sources}/{id}/relationships/{relationshipId}`]: async (fixture) => ({
    path: await knowRelationship(fixture, await freshSource(fixture)),
  }),
  [`POST ${sources}/{id}/relationships/{relationshipId}/verify`]: async (fixture) => ({
    path: `${await knowRelationship(fixture, await freshSource(fixture))}/verify`,
    body: { isVerified: true },
  }),
  [`POST ${sources}/{id}/relationships/{relationshipId}/check`]: async (fixture) => ({
    path: `${await knowCheckable(fixture)}/check`,
  }),
  [`POST ${sources}/{id}/relationships/discover`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/relationships/discover`,
  }),
  [`POST ${sources}/{id}/relationships/discover/accept`]: async (fixture) => ({
    path: `${await knowSchema(fixture, await freshSource(fixture))}/discover/accept`,
    body: { proposals: [suggested] },
  }),
  [`POST ${projects}/{id}/data-sources`]: async (fixture) => {
    // Links the source to an open project, so that callers who may link it can also read it.
    const id = await freshSource(fixture);
    const open = await addProject(fixture.root, fresh('Open'));
    await fixture.root.post(`${projects}/${open}/data-sources`, { dataSourceId: id });
    return { body: { dataSourceId: id } };
  },
  [`DELETE ${projects}/{id}/data-sources/{dataSourceId}`]: async (fixture) => {
    const id = await freshSource(fixture);
    await fixture.root.post(`${projects}/${fixture.project}/data-sources`, { dataSourceId: id });
    return { path: `${projects}/${fixture.project}/data-sources/${id}` };
  },
  [`POST ${sources}`]: async (fixture) => ({ body: source(fixture) }),
  [`PATCH ${sources}/{id}`]: async () => ({ body: { description: fresh('Described') } }),
  [`DELETE ${sources}/{id}`]: async (fixture) => ({ path: `${sources}/${await freshSource(fixture)}` }),
  [`PUT ${sources}/{id}/migration-writes`]: async (fixture) => ({
    path: `${sources}/${await freshSource(fixture)}/migration-writes`,
    body: { isAllowed: true },
  }),
  [`POST ${sources}/{id}/refresh-metadata`]: async (fixture) => {
    // The service refreshes a source once in 30 seconds, so each request uses its own source.
    const id = await freshSource(fixture);
    await fixture.root.post(`${projects}/${fixture.project}/data-sources`, { dataSourceId: id });
    return { path: `${sources}/${id}/refresh-metadata` };
  },
  [`POST ${sources}/test-connection`]: async ({ connection }) => ({
    body: { engine: 'PostgreSQL', connection },
  }),
  ...migrationRecipes,
  [`POST ${queries}`]: async (fixture) => ({
    body: { projectId: fixture.project, ...definition(fixture) },
  }),
  [`PUT ${queries}/{id}`]: async (fixture) => ({ body: definition(fixture) }),
  [`POST ${queries}/{id}/preview`]: async () => ({ body: {} }),
  [`POST ${queries}/runs/{runKey}/stop`]: async () => ({
    path: `${queries}/runs/${fresh('run').replace(' ', '-')}-key/stop`,
  }),
  [`POST ${queries}/{id}/export`]: async () => ({ body: { format: 'Csv' } }),
  [`POST ${queries}/{id}/steps/{stepOrder}/preview`]: async ({ query }) => ({
    path: `${queries}/${query}/steps/1/preview`,
    body: {},
  }),
  [`POST ${queries}/preview`]: async (fixture) => ({
    body: { projectId: fixture.project, steps: [step(fixture)] },
  }),
  ...Object.fromEntries(
    ['preflight', 'explain'].map((act): [string, Recipe] => [
      `POST ${queries}/${act}`,
      async (fixture) => ({ body: { projectId: fixture.project, steps: [step(fixture)] } }),
    ]),
  ),
  ...queryVersionRequests({ freshQuery, definition }),
  ...queryToolRequests({ freshQuery }),
  ...queryFolderRequests({ made, fresh }),
  [`POST ${queries}/{id}/lock`]: async (fixture) => ({
    path: `${queries}/${await freshQuery(fixture)}/lock`,
    body: { isLocked: true },
  }),
  [`POST ${subscriptions}`]: async (fixture) => ({ body: await subscription(fixture) }),
  [`GET ${subscriptions}/{id}`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}`,
  }),
  [`PATCH ${subscriptions}/{id}`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}`,
    body: { showQuery: true },
  }),
  [`DELETE ${subscriptions}/{id}`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}`,
  }),
  [`POST ${subscriptions}/{id}/reactivate`]: async (fixture) => {
    const id = await freshSubscription(fixture);
    await fixture.root.delete(`${subscriptions}/${id}`);
    return { path: `${subscriptions}/${id}/reactivate` };
  },
  [`POST ${subscriptions}/bulk`]: async (fixture) => ({
    body: { subscriptionIds: [await freshSubscription(fixture)], act: 'Archive' },
  }),
  [`POST ${subscriptions}/{id}/test-run`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/test-run`,
  }),
  [`POST ${subscriptions}/{id}/sla`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/sla`,
    body: { slaHours: 8 },
  }),
  [`POST ${subscriptions}/{id}/replace`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/replace`,
    body: { cronExpression: '15 6 * * *' },
  }),
  [`POST ${subscriptions}/{id}/alert-reset`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/alert-reset`,
  }),
  ...acknowledgementRecipes(subscriptions, 'subscription_id', freshSubscription),
  [`POST ${subscriptions}/{id}/row-memory-reset`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/row-memory-reset`,
  }),
  [`POST ${subscriptions}/{id}/pause`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/pause`,
  }),
  [`POST ${subscriptions}/{id}/resume`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/resume`,
  }),
  [`POST ${subscriptions}/{id}/snooze`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/snooze`,
    body: { until: new Date(Date.now() + 3_600_000).toISOString(), reason: 'Being mended' },
  }),
  'GET /svc/api/control-tower/subscriptions/{id}/detail': async (fixture) => ({
    path: `/svc/api/control-tower/subscriptions/${await freshSubscription(fixture)}/detail`,
  }),
  [`GET ${subscriptions}/{id}/missed-runs`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/missed-runs`,
  }),
  [`GET ${subscriptions}/{id}/routes`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/routes`,
  }),
  [`POST ${subscriptions}/{id}/message-preview`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/message-preview`,
    body: { source: 'DryRun' },
  }),
  [`POST ${notifications}/{id}/deliveries/{deliveryId}/resend`]: async (fixture) => {
    const run = await failedRun(fixture, await freshSubscription(fixture), await freshRecipient(fixture));
    return { path: `${notifications}/${run.id}/deliveries/${run.deliveryId}/resend` };
  },
  [`POST ${notifications}/{id}/resend-failed`]: async () => ({ body: {} }),
  [`POST ${notifications}/resend-failed`]: async () => ({
    body: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' },
  }),
  'POST /svc/api/notices/{id}/read': async (fixture, kind) => ({
    path: `/svc/api/notices/${await freshNotice(fixture, kind)}/read`,
  }),
  [`GET ${recipients}/{id}/delivery-settings`]: (fixture) => freshRecipientAt(fixture, '/delivery-settings'),
  [`PUT ${recipients}/{id}/retry-policy`]: async (fixture) => ({
    ...(await freshRecipientAt(fixture, '/retry-policy')),
    body: { retriesMax: 3, delaySeconds: 60 },
  }),
  [`PUT ${recipients}/{id}/number-format`]: async (fixture) => ({
    ...(await freshRecipientAt(fixture, '/number-format')),
    body: { numbers: 'Number' },
  }),
  [`POST ${recipients}/{id}/signing-secrets`]: (fixture) => freshRecipientAt(fixture, '/signing-secrets'),
  [`DELETE ${recipients}/{id}/signing-secrets/previous`]: (fixture) =>
    freshRecipientAt(fixture, '/signing-secrets/previous'),
  [`DELETE ${recipients}/{id}/signing-secrets`]: (fixture) => freshRecipientAt(fixture, '/signing-secrets'),
  [`POST ${recipients}/template-preview`]: async () => ({
    body: { notificationType: 'Webhook', bodyTemplate: '{{Records}}' },
  }),
  [`POST ${subscriptions}/{id}/recipients`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/recipients`,
    body: { recipientIds: [await freshRecipient(fixture)] },
  }),
  [`DELETE ${subscriptions}/{id}/recipients/{recipientId}`]: async (fixture) => {
    const body = await subscription(fixture);
    const id = await made(fixture.root, subscriptions, {
      ...body,
      recipientIds: [...body.recipientIds, await freshRecipient(fixture)],
    });
    return { path: `${subscriptions}/${id}/recipients/${body.recipientIds[0]}` };
  },
  [`PUT ${subscriptions}/{id}/owner`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/owner`,
    body: { userId: fixture.editorId },
  }),
  [`POST ${subscriptions}/schedule-preview`]: async () => ({ body: { cronExpression: '0 6 * * *' } }),
  [`POST ${recipients}`]: async () => ({ body: recipient() }),
  [`GET ${recipients}/{id}`]: async (fixture) => ({ path: `${recipients}/${await freshRecipient(fixture)}` }),
  [`PUT ${recipients}/{id} (renaming)`]: async (fixture) => {
    const id = await freshRecipient(fixture);
    const { destination } = (await fixture.root.get(`${recipients}/${id}`)).read<{ destination: string }>();
    return {
      path: `${recipients}/${id}`,
      body: { notificationType: 'Webhook', name: fresh('Renamed'), destination },
    };
  },
  [`GET ${recipients}/{id}/uses`]: async (fixture) => ({
    path: `${recipients}/${await freshRecipient(fixture)}/uses`,
  }),
  [`DELETE ${recipients}/{id}`]: async (fixture) => ({
    path: `${recipients}/${await freshRecipient(fixture)}`,
  }),
  ...mcpRecipes,
  ...learningRecipes,
  ...documentRecipes,
  ...fileRecipes,
  ...repositoryRecipes,
  ...queryApprovalRecipes,
  ...documentationRecipes,
  ...glossaryRecipes,
  ...evalRecipes,
  ...aiActorRecipes,
  ...askRecipes,
  'POST /svc/api/api-keys (Read key for the restricted project)': keyFor('Read'),
  'POST /svc/api/api-keys (Execute key for the restricted project)': keyFor('Execute'),
  'DELETE /svc/api/api-keys/{id} (own key)': async (fixture, kind) => ({
    path: `/svc/api/api-keys/${await ownKey(fixture, kind)}`,
  }),
  'POST /svc/api/api-keys/{id}/replace (own key)': async (fixture, kind) => ({
    path: `/svc/api/api-keys/${await ownKey(fixture, kind)}/replace`,
    body: {},
  }),
  ...Object.fromEntries(
    ['uses', 'explanation'].flatMap((what): [string, Recipe][] => [
      [
        `GET /svc/api/api-keys/{id}/${what} (own key)`,
        async (fixture, kind) => ({ path: `/svc/api/api-keys/${await ownKey(fixture, kind)}/${what}` }),
      ],
      [
        `GET /svc/api/api-keys/admin/{id}/${what} (an editor's key)`,
        async (fixture) => ({ path: `/svc/api/api-keys/admin/${await ownKey(fixture, 'editor')}/${what}` }),
      ],
    ]),
  ),
  "DELETE /svc/api/api-keys/admin/{id} (an editor's key)": async (fixture) => ({
    path: `/svc/api/api-keys/admin/${await ownKey(fixture, 'editor')}`,
  }),
  "DELETE /svc/api/api-keys/admin/{id} (a functional-role holder's key)": async ({
    functionalOwner,
    project,
  }) => {
    const body = { name: fresh('Key'), scopes: ['Read'], allowedProjectIds: [project] };
    return { path: `/svc/api/api-keys/admin/${await made(functionalOwner, '/svc/api/api-keys', body)}` };
  },
};

const changes = '/svc/api/approvals/changes';

/** A language model at a host name that never resolves. */
const nobodysModel = { provider: 'OpenAiCompatible', endpoint: 'https://llm.invalid/v1', model: 'm' };

/** Counts requests, so that each request changes the previous value of its setting. */
let settingsAsked = 0;

/** Requests about approvals and settings. */
const administrationRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${changes}/{id}`]: async (fixture) => ({ path: (await freshChange(fixture)).path }),
  [`POST ${changes}/{id}/approve`]: async (fixture) => {
    const { path, changeHash } = await freshChange(fixture);
    return { path: `${path}/approve`, body: { changeHash } };
  },
  [`POST ${changes}/{id}/reject`]: async (fixture) => ({
    path: `${(await freshChange(fixture)).path}/reject`,
    body: { comment: 'No.' },
  }),
  [`POST ${changes}/{id}/withdraw (the caller's own)`]: async (fixture, kind) => ({
    path: `${(await freshChange(fixture, kind)).path}/withdraw`,
  }),
  'PUT /svc/api/admin-settings (default time zone)': async () => ({
    body: { defaultTimeZone: settingsAsked++ % 2 === 0 ? 'Europe/Zagreb' : 'Europe/Paris' },
  }),
  'PUT /svc/api/admin-settings (LLM connection)': async () => ({
    body: { llmConnection: { ...nobodysModel, model: `model-${settingsAsked++}` } },
  }),
  'POST /svc/api/admin-settings/test-llm': async ({ root }) => {
    await root.put('/svc/api/admin-settings', { llmConnection: nobodysModel });
    return { body: {} };
  },
  'POST /svc/api/admin-settings/test-llm (draft)': async () => ({
    body: { llmConnection: nobodysModel },
  }),
  'PUT /svc/api/admin-settings (base URL)': async () => ({
    body: { baseUrl: `https://host-${settingsAsked++}.example.org/svc` },
  }),
};

const fixtureIds: readonly (readonly [prefix: string, id: (fixture: Fixture) => number])[] = [
  [`${projects}/{id}`, ({ project }) => project],
  [`${sources}/{id}`, ({ dataSource }) => dataSource],
  [`${queries}/{id}`, ({ query }) => query],
  ['/svc/api/notifications/{id}', ({ run }) => run],
];

/** Returns the request for one cell. Throws if the fixture has no id for the path. */
export async function requestFor(row: AccessRow, fixture: Fixture, kind: CallerKind): Promise<Request> {
  const [method = '', template = ''] = row.operation.split(' ');
  const name = row.variant ? `${row.operation} (${row.variant})` : row.operation;
  const { path, body, headers, as }: Partial<Omit<Request, 'method'>> =
    (await {
      ...recipes,
      ...userRecipes,
      ...administrationRecipes,
      ...taskRecipes(freshSubscription),
      ...recentRecipes(),
      ...anomalyRecipes({ subscription: freshSubscription, recipient: freshRecipient }),
      ...definitionRecipes,
      ...dataQualityRecipes(freshRecipient),
      ...hubRecipes,
    }[name]?.(fixture, kind)) ?? {};
  const id = fixtureIds.find(([prefix]) => template.startsWith(prefix))?.[1](fixture);
  const request = {
    method,
    as,
    ...(headers && { headers }),
    path: path ?? (id === undefined ? template : template.replace('{id}', String(id))),
  };
  if (request.path.includes('{')) throw new Error(`The matrix does not know how to ask for ${name}.`);
  return body === undefined ? request : { ...request, body };
}
