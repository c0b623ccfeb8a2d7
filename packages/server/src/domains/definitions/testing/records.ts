import type { DefinitionFile, DefinitionStep } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';

export type Files = DefinitionFile[];

/** Secret value that the tests plant in every secret member. */
export const planted = 'planted-secret-of-definitions';

/** Creates a record of every kind, with non-default members. */
export async function makeEveryKind(fixture: RunFixture): Promise<void> {
  const { root, sourceId } = fixture;
  await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`);
  const recipientIds = await makeRecipients(fixture);
  const queryId = await makeQueries(fixture);
  await makeSubscriptions(fixture, queryId, recipientIds);
  await makeContract(fixture, recipientIds.hook);
}

type RecipientIds = { readonly hook: number; readonly other: number };

async function makeRecipients({ sink, make }: RunFixture): Promise<RecipientIds> {
  const hook = await make('/svc/api/recipients', {
    notificationType: 'Webhook',
    name: 'Ops chat',
    destination: `${sink.urlOf('/ops')}?token=${planted}`,
    customHeaders: { Authorization: `Bearer ${planted}` },
    bodyTemplate: '{"text": "{{query.name}}"}',
  });
  const other = await make('/svc/api/recipients', {
    notificationType: 'Webhook',
    name: 'Ops chat, second',
    destination: sink.urlOf('/second'),
  });
  return { hook: hook.id, other: other.id };
}

async function makeQueries({ projectId, sourceId, make }: RunFixture): Promise<number> {
  const query = await make('/svc/api/queries', {
    projectId,
    name: 'Späte Orders: "late"\u2028#1',
    description: 'Orders that are late.\n\n  Two lines, an indent and a trailing space. \n',
    parameters: [
      { name: 'days', type: 'Number', defaultValue: 3, description: 'How late' },
      { name: 'since', type: 'Date', isRequired: false },
    ],
    steps: [
      {
        name: 'late',
        dataSourceId: sourceId,
        sql: 'select id, email, total\nfrom orders\nwhere total > {{days}} -- true\n',
      },
      { dataSourceId: sourceId, sql: 'select 1 as n' },
    ],
    finalQuery: 'select * from late',
  });
  await make('/svc/api/queries', {
    projectId,
    name: 'Späte Orders: "late"\u2028#1',
    steps: [{ dataSourceId: sourceId, sql: 'select 2 as n' }],
  });
  return query.id;
}

async function makeSubscriptions(
  { make }: RunFixture,
  queryId: number,
  { hook, other }: RecipientIds,
): Promise<void> {
  await make('/svc/api/subscriptions', {
    queryId,
    cronExpression: '0 8 * * 1-5',
    timeZone: 'Europe/Zagreb',
    recipientIds: [hook, other],
    notificationTrigger: 'WhileRows',
    alert: { pendingRuns: 2 },
    parameters: { days: 5 },
    includeAttachment: true,
    slaHours: 4,
    createTasks: true,
    routing: {
      column: 'email',
      routes: [
        { value: 'c2@example.org', recipientId: other },
        { value: 'c1@example.org', recipientId: hook },
      ],
      fallbackRecipientId: hook,
    },
  });
  await make('/svc/api/subscriptions', {
    queryId,
    cronExpression: '0 9 1 1 *',
    recipientIds: [hook],
    notificationTrigger: 'OnRowChange',
    rowMemory: { keyColumns: ['id'], changes: ['New', 'Changed'] },
    anomaly: { method: 'Robust' },
  });
}

async function makeContract({ projectId, sourceId, make }: RunFixture, recipientId: number): Promise<void> {
  await make('/svc/api/data-quality/contracts', {
    projectId,
    dataSourceId: sourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Orders',
    description: 'What must hold',
    warnScore: 90,
    alertMode: 'OnChange',
    alert: { recoverRuns: 3 },
    cronExpression: '0 6 * * *',
    timeZone: 'Europe/Zagreb',
    recipientIds: [recipientId],
    rules: [
      { name: 'Some rows', type: 'Volume', config: { minRows: 1 } },
      {
        name: 'Totals',
        type: 'Range',
        columns: ['total'],
        config: { min: 0 },
        severity: 'High',
        failAbove: 2,
      },
      { name: 'Own', type: 'CustomSql', config: { kind: 'Verdict', sql: 'select true as passed' } },
    ],
  });
}

/** Creates a migration job and run-time settings, with non-default members. */
export async function makeSettings({ root, projectId, sourceId, make }: RunFixture): Promise<void> {
  await make('/svc/api/migrations/jobs', {
    name: 'Nightly copy',
    description: 'To the report',
    dataSourceId: sourceId,
    source: { kind: 'Query', sql: 'select id, total from orders\nwhere total > 0 -- late\n' },
    destinationDataSourceId: sourceId,
    destination: { schema: 'public', table: 'orders_copy' },
    createsTable: true,
    mode: 'Sync',
    keyColumns: ['id'],
    personalData: 'Mask',
    minimumSourceRows: 5,
    columns: [
      { from: 'total', to: 'total' },
      { from: 'id', to: 'id' },
    ],
    cronExpression: '0 3 * * *',
    isEnabled: false,
    timeoutMinutes: 90,
  });
  const put = async (path: string, body: object) => {
    const { status, text } = await root.put(path, body);
    if (status !== 200) throw new Error(`${path} was not set: ${status} ${text}`);
  };
  await put('/svc/api/admin-settings', {
    baseUrl: 'https://svc.example.org/svc/',
    defaultTimeZone: 'Europe/Zagreb',
    llmConnection: {
      provider: 'Anthropic',
      model: 'large',
      fastModel: 'small',
      apiKey: planted,
      prices: { main: { inputPerMillion: 3, outputPerMillion: 15 } },
    },
    llmLimits: { monthlyBudget: 250, dailyTokensPerUser: 50_000 },
  });
  await put('/svc/api/mcp/settings', {
    maxRows: 500,
    disabledTools: ['search', 'query'],
    piiPatterns: ['^iban$'],
    isEnabled: true,
    instruction: 'Ask for the year first.',
    toolDescriptions: { query: 'Ours.' },
  });
  await put(`/svc/api/mcp/projects/${projectId}/settings`, { isEnabled: true, maxRows: 20 });
}

/** Values of all secrets of these records, by their names in an export. */
export const secretValues = ({ sink, shop }: RunFixture): Record<string, string> => ({
  OPS_CHAT_DESTINATION: `${sink.urlOf('/ops')}?token=${planted}`,
  OPS_CHAT_AUTHORIZATION: `Bearer ${planted}`,
  OPS_CHAT_SECOND_DESTINATION: sink.urlOf('/second'),
  LLM_API_KEY: planted,
  THE_WATCHED_SOURCE_PASSWORD: String(shop.options.password ?? ''),
});

/** Archives all records of the fixture. */
export async function wipe({ root, projectId, sourceId }: RunFixture): Promise<void> {
  for (const list of ['/svc/api/subscriptions', '/svc/api/data-quality/contracts', '/svc/api/recipients']) {
    if (list.endsWith('recipients')) await root.delete(`/svc/api/projects/${projectId}`);
    const { body } = await root.get(`${list}?pageSize=200`);
    for (const { id } of body.items as { id: number }[]) await root.delete(`${list}/${id}`);
  }
  const { body } = await root.get('/svc/api/migrations/jobs');
  for (const { id } of (body.items ?? []) as { id: number }[])
    await root.delete(`/svc/api/migrations/jobs/${id}`);
  await root.delete(`/svc/api/data-sources/${sourceId}`);
  await root.put('/svc/api/admin-settings', {
    baseUrl: null,
    defaultTimeZone: null,
    llmConnection: null,
    llmLimits: null,
  });
  const { defaults } = (await root.get('/svc/api/mcp/settings')).body;
  await root.put('/svc/api/mcp/settings', defaults);
}

/** Requires a successful plan and returns it. */
export async function planned(
  client: HttpClient,
  files: Files,
  more: object = {},
): Promise<{ planId: string; steps: DefinitionStep[] }> {
  const { status, body, text } = await client.post('/svc/api/definitions/plan', { files, ...more });
  if (status !== 200) throw new Error(`The plan was not made: ${status} ${text}`);
  return body;
}

export type Result = { outcome: string; path: string; code: string | null; detail: string | null };

/** Requires a successful apply and returns its results. */
export async function applied(client: HttpClient, planId: string, more: object = {}): Promise<Result[]> {
  const { status, body, text } = await client.post('/svc/api/definitions/apply', { planId, ...more });
  if (status !== 200) throw new Error(`The plan was not applied: ${status} ${text}`);
  return body.results;
}

/** Plans and applies files. */
export async function planAndApply(client: HttpClient, files: Files, more: object = {}): Promise<Result[]> {
  const { planId } = await planned(client, files, more);
  const { secrets } = more as { secrets?: object };
  return applied(client, planId, secrets ? { secrets } : {});
}

/** Returns the files of an export and requires that it omits no record. */
export async function exported(client: HttpClient, more: object = {}): Promise<Files> {
  const { status, body, text } = await client.post('/svc/api/definitions/export', more);
  if (status !== 200 || body.omitted.length > 0) throw new Error(`Not all was exported: ${status} ${text}`);
  return body.files;
}

/** Returns the files with one text changed. */
export const edited = (files: Files, path: string, change: (content: string) => string): Files =>
  files.map((file) => (file.path === path ? { path, content: change(file.content) } : file));

/** Returns paths, actions and members of all steps other than `Unchanged`. */
export const changesOf = (steps: readonly DefinitionStep[]): [string, string, string[]][] =>
  steps
    .filter(({ action }) => action !== 'Unchanged')
    .map(({ path, action, members }) => [path, action, members]);
