import { type RunFixture, type RunFixtureOptions, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { expect } from 'vitest';
import {
  applied,
  changesOf,
  edited,
  exported,
  makeSettings,
  planAndApply,
  planned,
  planted,
  secretValues,
  wipe,
} from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { scenario } from '../support/scenario.ts';

type OnEnd = (close: () => Promise<void>) => void;

const definitions = '/svc/api/definitions';
const withMigrations = { 'Svc:Migrations:Enabled': true } as const;

const begin = async (onEnd: OnEnd, config: RunFixtureOptions['config'] = {}): Promise<RunFixture> => {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0, ...config } });
  onEnd(fixture.close);
  return fixture;
};

/** Checks the records after the exported files were applied to an empty service. */
async function expectRestoredRecords(root: RunFixture['root']): Promise<void> {
  expect((await root.get('/svc/api/migrations/jobs')).body.items).toMatchObject([
    {
      name: 'Nightly copy',
      description: 'To the report',
      createsTable: true,
      mode: 'Sync',
      source: { kind: 'Query', sql: 'select id, total from orders\nwhere total > 0 -- late\n' },
      destination: { schema: 'public', table: 'orders_copy' },
      keyColumns: ['id'],
      columns: [
        { from: 'total', to: 'total' },
        { from: 'id', to: 'id' },
      ],
      personalData: 'Mask',
      minimumSourceRows: 5,
      cronExpression: '0 3 * * *',
      isEnabled: false,
      timeoutMinutes: 90,
    },
  ]);
  expect((await root.get('/svc/api/mcp/settings')).body.values).toMatchObject({
    maxRows: 500,
    disabledTools: ['query', 'search'],
    piiPatterns: ['^iban$'],
    isEnabled: true,
    instruction: 'Ask for the year first.',
    toolDescriptions: { query: 'Ours.' },
  });
  const [{ projectId }] = (await root.get('/svc/api/mcp/projects')).body.items;
  const ofProject = await root.get(`/svc/api/mcp/projects/${projectId}/settings`);
  expect(ofProject.body.overrides).toMatchObject({ isEnabled: true, maxRows: 20 });
  expect((await root.get('/svc/api/admin-settings')).body.llmConnection.value.hasApiKey).toBe(true);
}

scenario(
  ['RT-4.3-1000', 'RT-4.3-1001', 'RT-4.3-1002', 'RT-4.3-990'],
  'migration jobs and settings that are exported, deleted and applied again produce identical files without secrets',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd, withMigrations);
    const { root } = fixture;
    await makeSettings(fixture);
    const before = await exported(root);
    const paths = before.map(({ path }) => path);
    expect(paths).toEqual([
      'data-sources/the-watched-source.yaml',
      'migrations/nightly-copy.yaml',
      'projects/shop/mcp.yaml',
      'projects/shop/project.yaml',
      'settings/mcp.yaml',
      'settings/service.yaml',
    ]);
    const textOf = (path: string) => before.find((file) => file.path === path)?.content;
    expect(textOf('settings/service.yaml')).toBe(
      [
        '$schema: urn:svc:definition:v1:settings',
        'baseUrl: https://svc.example.org/svc',
        'defaultTimeZone: Europe/Zagreb',
        'llmConnection:',
        '  provider: Anthropic',
        '  model: large',
        '  fastModel: small',
        '  prices:',
        '    main:',
        '      inputPerMillion: 3',
        '      outputPerMillion: 15',
        '  apiKey:',
        '    secret: LLM_API_KEY',
        'llmLimits:',
        '  monthlyBudget: 250',
        '  monthlyTokens: null',
        '  dailyTokensPerUser: 50000',
        '  callsPerMinute: 60',
        '  tokensPerMinute: 200000',
        '  maxConcurrentCalls: 8',
        '  callTimeoutSeconds: 60',
        '  maxPromptBytes: 64000',
        '',
      ].join('\n'),
    );
    expect(textOf('migrations/nightly-copy.yaml')).toContain(
      [
        'description: To the report',
        'dataSource: the-watched-source',
        'source:',
        '  kind: Query',
        '  sql: |',
        '    select id, total from orders',
        '    where total > 0 -- late',
        '',
      ].join('\n'),
    );
    expect(textOf('projects/shop/mcp.yaml')).toContain('isEnabled: true\nmaxRows: 20\n');
    expect(textOf('settings/mcp.yaml')).not.toContain('isEnabled');
    expect(changesOf((await planned(root, before)).steps)).toEqual([]);

    await wipe(fixture);
    expect(await exported(root)).toEqual([]);
    const secrets = secretValues(fixture);
    const missing = await planAndApply(
      root,
      before.filter(({ path }) => path.startsWith('settings/service')),
    );
    expect(missing).toMatchObject([{ outcome: 'Failed', code: 'secret-missing' }]);
    const { planId, steps } = await planned(root, before, { secrets });
    expect(steps.map(({ action, needsSecrets }) => [action, needsSecrets.length])).toEqual([
      ['Create', 1],
      ['Create', 0],
      ['Create', 1],
      ['Create', 0],
      ['Create', 0],
      ['Create', 0],
    ]);
    const results = await applied(root, planId, { secrets });
    expect(results.filter(({ outcome }) => outcome !== 'Done')).toEqual([]);
    const after = await exported(root);
    expect(after).toEqual(before);
    const again = await planned(root, after, { secrets });
    expect(changesOf(again.steps)).toEqual([]);
    await expectRestoredRecords(root);
    expect(JSON.stringify([before, results, again])).not.toContain(planted);
    const rotation = await planned(root, after, { secrets: { ...secrets, LLM_API_KEY: 'another' } });
    expect(changesOf(rotation.steps)).toEqual([
      ['settings/service.yaml', 'Update', ['/llmConnection/apiKey']],
    ]);
    await applied(root, rotation.planId, { secrets: { ...secrets, LLM_API_KEY: 'another' } });
    const [history] = (await root.get('/svc/api/admin-settings')).body.history;
    expect(history.newValue).toContain('new key');
  },
);

scenario(
  ['RT-4.3-1001'],
  'a setting that the file omits returns to its default, and a manual change is reported as drift',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd, withMigrations);
    const { root, projectId } = fixture;
    await makeSettings(fixture);
    const files = await exported(root);
    await planAndApply(root, files);
    await root.put('/svc/api/mcp/settings', { maxRows: 400 });
    await root.put(`/svc/api/mcp/projects/${projectId}/settings`, { candidates: 2 });
    await root.put('/svc/api/admin-settings', { defaultTimeZone: 'UTC' });
    expect(changesOf((await planned(root, files)).steps)).toEqual([
      ['settings/service.yaml', 'Drifted', ['/defaultTimeZone']],
      ['settings/mcp.yaml', 'Drifted', ['/maxRows']],
      ['projects/shop/mcp.yaml', 'Drifted', ['/candidates']],
    ]);
    await planAndApply(root, files);
    expect(await exported(root)).toEqual(files);
    const less = edited(
      edited(files, 'settings/mcp.yaml', (content) => content.replace('maxRows: 500\n', '')),
      'settings/service.yaml',
      (content) => content.replace('defaultTimeZone: Europe/Zagreb\n', ''),
    );
    await planAndApply(root, less);
    expect((await root.get('/svc/api/mcp/settings')).body.values.maxRows).toBe(1_000);
    const { settings } = (await root.get('/svc/api/admin-settings')).body;
    expect(settings.defaultTimeZone.isSetAtRunTime).toBe(false);

    const without = less.filter(
      ({ path }) => !path.endsWith('/mcp.yaml') && path !== 'settings/service.yaml',
    );
    const { planId, steps } = await planned(root, without, { prune: true });
    expect(changesOf(steps).map(([path, action]) => [path, action])).toEqual([
      ['projects/shop/mcp.yaml', 'Delete'],
      ['settings/mcp.yaml', 'Delete'],
      ['settings/service.yaml', 'Delete'],
    ]);
    await applied(root, planId, { force: true });
    expect((await exported(root)).map(({ path }) => path)).toEqual(without.map(({ path }) => path));
    expect((await root.get('/svc/api/admin-settings')).body.llmConnection.value).toBeNull();
  },
);

scenario(
  ['RT-4.3-1003'],
  'only users with access to their own routes can plan and see migration jobs and settings',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd, withMigrations);
    const { root, projectId } = fixture;
    await makeSettings(fixture);
    const files = (await exported(root)).filter(({ path }) => /^(settings|migrations)|\/mcp\./.test(path));
    const changed = files.map((file) => ({
      ...file,
      content: file.content
        .replace('Europe/Zagreb', 'UTC')
        .replace(/maxRows: \d+/, 'maxRows: 7')
        .replace('To the report', 'Elsewhere'),
    }));
    const plansOf = async (client: Parameters<typeof planned>[0], of = changed) =>
      (await planned(client, of)).steps.map(({ path, action }) => [path, action]);
    const editor = await fixture.person('editor', 'Editor');
    const { body } = await editor.post(`${definitions}/export`, {});
    expect(body.files.map(({ path }: { path: string }) => path)).toEqual(['projects/shop/project.yaml']);
    expect(body.omitted.map(({ kind }: { kind: string }) => kind)).toEqual(['DataSource']);
    for (const [kind, id] of [
      ['MigrationJob', 1],
      ['Settings', 1],
      ['McpProjectSettings', projectId],
    ])
      expect((await editor.get(`${definitions}/objects/${kind}/${id}`)).status).toBe(404);
    expect((await root.get(`${definitions}/objects/Settings/1`)).body).toMatchObject({ slug: 'service' });
    expect(new Set((await plansOf(editor)).map(([, action]) => action))).toEqual(new Set(['NotAllowed']));

    const guard = await fixture.person('guard', ['Editor', 'SecurityAdmin']);
    expect(await plansOf(guard)).toEqual([
      ['settings/service.yaml', 'Update'],
      ['settings/mcp.yaml', 'Update'],
      ['migrations/nightly-copy.yaml', 'NotAllowed'],
      ['projects/shop/mcp.yaml', 'Update'],
    ]);
    const moved = edited(files, 'settings/service.yaml', (content) =>
      content.replace('https://svc.example.org', 'https://elsewhere.example.org'),
    );
    const { steps } = await planned(guard, moved);
    expect(steps[0]).toMatchObject({
      action: 'NotAllowed',
      reason: 'Changing baseUrl needs the Admin role.',
    });

    const operator = await fixture.person('operator', ['MigrationOperator']);
    const jobs = changed.filter(({ path }) => path.startsWith('migrations/'));
    expect((await operator.post(`${definitions}/plan`, { files: jobs })).status).toBe(403);
    const both = await fixture.person('both', ['Editor', 'MigrationOperator']);
    await fixture.svc.sql('delete from svc.project_data_sources');
    expect(await plansOf(both, jobs)).toEqual([['migrations/nightly-copy.yaml', 'Update']]);
    const personal = edited(jobs, 'migrations/nightly-copy.yaml', (content) =>
      content.replace('personalData: Mask', 'personalData: Copy'),
    );
    expect((await planned(both, personal)).steps[0]).toMatchObject({
      action: 'NotAllowed',
      reason: expect.stringContaining('needs an Admin'),
    });
  },
);

scenario(
  ['RT-4.3-1004'],
  'a step for a locked setting or a disabled feature is not allowed and states the reason',
  async ({ onEnd }) => {
    const fixture = await begin(onEnd, {
      'Svc:AdminSettings:Locked': ['defaultTimeZone'],
      'Svc:Mcp:Ceilings:MaxRows': 100,
      'Svc:Migrations:Enabled': false,
    });
    const { root } = fixture;
    const files = [
      { path: 'settings/service.yaml', content: 'defaultTimeZone: UTC\n' },
      { path: 'settings/mcp.yaml', content: 'maxRows: 101\n' },
      { path: 'projects/shop/mcp.yaml', content: 'maxRows: 101\n' },
      {
        path: 'migrations/copy.yaml',
        content: [
          'name: Copy',
          'dataSource: the-watched-source',
          'source: { kind: Table, schema: public, table: orders }',
          'destinationDataSource: the-watched-source',
          'destination: { schema: public, table: copied }',
          'mode: Insert\n',
        ].join('\n'),
      },
    ];
    const { steps, planId } = await planned(root, files);
    expect(steps.map(({ path, action, reason }) => [path, action, reason])).toEqual([
      ['settings/service.yaml', 'NotAllowed', expect.stringContaining('locks defaultTimeZone')],
      ['settings/mcp.yaml', 'NotAllowed', expect.stringContaining('allows 100 at most')],
      ['migrations/copy.yaml', 'NotAllowed', expect.stringContaining('Svc:Migrations:Enabled')],
      ['projects/shop/mcp.yaml', 'NotAllowed', expect.stringContaining('allows 100 at most')],
    ]);
    expect((await applied(root, planId)).map(({ outcome }) => outcome)).toEqual(
      files.map(() => 'NotAllowed'),
    );
  },
);
