import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallAnswer, type McpFixture, startMcpFixture } from './testing/fixture.ts';

let fixture: McpFixture;
let salesKey: string;
let bothKey: string;

beforeAll(async () => {
  fixture = await startMcpFixture();
  await fixture.offerAllQueries();
  salesKey = (await fixture.key([fixture.sales])).authorization;
  bothKey = (await fixture.key([fixture.sales, fixture.staff])).authorization;
});
afterAll(() => fixture.close());

const textOf = (answer: CallAnswer): string => answer.content[0]?.text ?? '';
const tools = (projectId: number | undefined, source: number, saved: number): [string, object][] => {
  const projectArgument = projectId === undefined ? {} : { project_id: projectId };
  return [
    ['get_context', projectArgument],
    ['get_context', { ...projectArgument, data_source: source }],
    ['get_context', { ...projectArgument, data_source: source, table: 'salaries' }],
    ['search', { ...projectArgument, query: 'salaries' }],
    ['search_saved_queries', projectArgument],
    ['run_saved_query', { ...projectArgument, query: saved, parameters: { least: 1 } }],
    ['dry_run', { ...projectArgument, data_source: source, sql: 'select * from salaries' }],
    ['query', { ...projectArgument, data_source: source, sql: 'select * from salaries' }],
  ];
};

describe('projects', () => {
  test('a single project is used by default, and a caller with several projects gets their names', async () => {
    expect((await fixture.call(salesKey, 'get_context')).structuredContent.project.id).toBe(fixture.sales);
    const unclear = await fixture.call(bothKey, 'get_context');
    expect(unclear.isError).toBe(true);
    expect(textOf(unclear)).toBe(
      `You have several projects: ${fixture.sales} (Sales), ${fixture.staff} (Staff). Name one in project_id.`,
    );
    const named = await fixture.call(bothKey, 'get_context', { project_id: fixture.staff });
    expect(named.structuredContent.project).toMatchObject({ id: fixture.staff, name: 'Staff' });
  });

  test('a key without a project and a key that names an unavailable project get a message about it', async () => {
    const none = (await fixture.key([])).authorization;
    expect(textOf(await fixture.call(none, 'get_context'))).toBe('No projects are available to you.');
    for (const id of [fixture.staff, 999_999])
      expect(textOf(await fixture.call(salesKey, 'query', { sql: 'select 1', project_id: id }))).toBe(
        `Access denied for project ${id}.`,
      );
  });

  test('no tool returns data of a project that its caller cannot reach', async () => {
    const stranger = await createUser(fixture.svc.database, 'stranger', 'Editor');
    const admin = await createUser(fixture.svc.database, 'admin', 'Admin');
    const keyOf = async (owner: number, projects: number[] | null) => {
      return (await createKey(fixture.svc.database, owner, { scopes: ['Execute'], projectIds: projects }))
        .authorization;
    };
    const callers = {
      'a key for another project': salesKey,
      'a key of somebody who is no member': await keyOf(stranger, [fixture.staff]),
      'a key without a list of somebody who is no member': await keyOf(stranger, null),
      'a key of an administrator who is no member': await keyOf(admin, [fixture.staff]),
    };
    for (const [who, authorization] of Object.entries(callers)) {
      for (const [name, args] of tools(fixture.staff, fixture.staffSource, fixture.savedQuery)) {
        const answer = await fixture.call(authorization, name, args);
        expect(answer, `${who}, ${name}`).toEqual({
          isError: true,
          content: [{ type: 'text', text: `Access denied for project ${fixture.staff}.` }],
        });
      }
    }
  });

  test('a source or a query of another project does not exist in this project', async () => {
    for (const name of ['query', 'dry_run'])
      for (const source of [fixture.staffSource, 'People'])
        expect(textOf(await fixture.call(salesKey, name, { sql: 'select 1', data_source: source }))).toMatch(
          /^This project has no data source (People|\d+)\. It has/,
        );
    const elsewhere = await fixture.call(bothKey, 'run_saved_query', {
      project_id: fixture.staff,
      query: fixture.savedQuery,
      parameters: { least: 1 },
    });
    expect(textOf(elsewhere)).toMatch(/^This project has no such saved query/);
  });
});

describe('answers', () => {
  test('the context contains sources, queries and limits, and for a named table its keys and masked columns', async () => {
    const { structuredContent } = await fixture.call(salesKey, 'get_context', { table: 'customers' });
    expect(structuredContent).toMatchObject({
      dataSources: [{ id: fixture.salesSource, name: 'Shop', engine: 'PostgreSQL', tableCount: 3 }],
      savedQueries: [{ id: fixture.savedQuery, name: 'Orders above' }],
      limits: { maxRows: 1_000, statementTimeoutSeconds: 30 },
      table: { table: 'public.customers', comment: 'People who buy', primaryKey: ['id'] },
    });
    const masked = structuredContent.table.columns.filter((column: { isMasked: boolean }) => column.isMasked);
    expect(masked.map((column: { name: string }) => column.name)).toEqual(['email']);
  });

  test('search finds tables, columns and queries, best match first, and pages the results', async () => {
    const { structuredContent } = await fixture.call(salesKey, 'search', { query: 'orders' });
    expect(structuredContent.hits.slice(0, 2)).toMatchObject([
      { kind: 'table', name: 'public.orders' },
      { kind: 'query', name: 'Orders above' },
    ]);
    const first = await fixture.call(salesKey, 'search', { query: 'customer', limit: 1 });
    expect(first.structuredContent).toMatchObject({ nextOffset: 1, hits: [{ name: expect.any(String) }] });
    const second = await fixture.call(salesKey, 'search', { query: 'customer', limit: 1, offset: 1 });
    expect(second.structuredContent.hits).not.toEqual(first.structuredContent.hits);
    const byComment = await fixture.call(salesKey, 'search', { query: 'support' });
    expect(byComment.structuredContent.hits).toMatchObject([
      { kind: 'table', name: 'public.customers' },
      { kind: 'column', name: 'public.customers.note' },
    ]);
  });

  test('search accepts a complete question, finds inflected words, and reports that nothing was left unsearched', async () => {
    const question = `Which customer ordered the most? ${'Please answer by name. '.repeat(20)}`;
    const { structuredContent } = await fixture.call(salesKey, 'search', { query: question });
    const tables = structuredContent.hits.filter((hit: { kind: string }) => hit.kind === 'table');
    expect(tables.map((hit: { name: string }) => hit.name).sort()).toEqual([
      'public.customers',
      'public.orders',
    ]);
    expect(structuredContent.notSearched).toEqual([]);
  });

  test('search names a data source with more tables than were read', async () => {
    const { host, port, user, password, database } = fixture.watched;
    const create = async (path: string, body: object): Promise<number> => {
      const answer = await fixture.root.post(path, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id;
    };
    const project = await create('/svc/api/projects', { name: 'Cut' });
    const source = await create('/svc/api/data-sources', {
      name: 'Large',
      engine: 'PostgreSQL',
      metadataOptions: { maxTables: 1 },
      connection: { host, port, user, password, database, tlsMode: 'Disable' },
    });
    await create(`/svc/api/projects/${project}/data-sources`, { dataSourceId: source });
    const { authorization } = await fixture.key([project]);
    const { content, structuredContent } = await fixture.call(authorization, 'search', { query: 'orders' });
    const sentence = `Data source ${source} (Large) has more tables than were read of its schema.`;
    expect(structuredContent.notSearched).toEqual([sentence]);
    expect(content[0]?.text).toContain(sentence);
  });

  test('a saved query runs by id and by name with its parameters, and the answer contains its version', async () => {
    const matches = await fixture.call(salesKey, 'search_saved_queries', { text: 'above' });
    expect(matches.structuredContent).toMatchObject({
      totalCount: 1,
      queries: [
        {
          id: fixture.savedQuery,
          versionNumber: 1,
          parameters: [{ name: 'least', type: 'Number', isRequired: true }],
        },
      ],
    });
    for (const query of [fixture.savedQuery, 'orders above']) {
      const run = await fixture.call(salesKey, 'run_saved_query', { query, parameters: { least: 390 } });
      expect(run.structuredContent).toMatchObject({
        queryId: fixture.savedQuery,
        version: 1,
        versionNumber: 1,
        rows: [
          [39, '390'],
          [40, '400'],
        ],
      });
    }
    const missing = await fixture.call(salesKey, 'run_saved_query', { query: fixture.savedQuery });
    expect(textOf(missing)).toContain('The parameter least needs a value.');
  });

  test('every answer conforms to the output schema of its tool', async () => {
    const { Ajv } = await import('ajv');
    const ajv = new Ajv({ strict: false });
    const { body } = await fixture.post(salesKey, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const schemas = new Map(
      body.result.tools.map((tool: { name: string; outputSchema: object }) => [tool.name, tool.outputSchema]),
    );
    for (const [name, args] of tools(undefined, fixture.salesSource, fixture.savedQuery)) {
      const answer = await fixture.call(salesKey, name, args);
      expect(answer.isError, `${name}: ${textOf(answer)}`).toBeUndefined();
      const validate = ajv.compile(schemas.get(name) as object);
      expect(validate(answer.structuredContent), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  test('a statement with characters outside the basic plane is answered, and is stored completely in the audit log', async () => {
    const sql = `select '${'🙂'.repeat(700)}' as signs, 'x${'🙂'.repeat(20)}' as more`;
    expect((await fixture.call(salesKey, 'query', { sql })).isError).toBeUndefined();
    const { arguments: auditedArguments } = (await fixture.audited()).at(-1) ?? {};
    expect((auditedArguments as string[]).join('')).toBe(JSON.stringify({ sql }));
  });

  test('invalid arguments are refused by name, and audited', async () => {
    for (const [name, args, what] of [
      ['query', {}, 'sql is required'],
      ['query', { sql: 'select 1', limit: 5 }, 'limit is not known here'],
      ['query', { sql: 'select 1', max_rows: '5' }, 'max_rows must be integer'],
      ['search', { query: ' ' }, 'query must match pattern'],
      ['query', { sql: "select '\ud83d' as half" }, 'sql holds a character that no text can have'],
      ['query', { sql: "select '\u0000' as nul" }, 'sql holds a character that no text can have'],
    ] as const) {
      const answer = await fixture.call(salesKey, name, args);
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain(what);
    }
    expect((await fixture.audited()).filter(({ outcome }) => outcome === 'invalid-arguments')).toHaveLength(
      6,
    );
  });
});

test('each call writes one audit event with its details', async () => {
  const before = (await fixture.audited()).length;
  const callerKey = await fixture.key([fixture.sales]);
  await fixture.call(callerKey.authorization, 'run_saved_query', {
    query: fixture.savedQuery,
    parameters: { least: 400 },
  });
  await fixture.call(callerKey.authorization, 'query', {
    sql: 'select email from customers order by id limit 2',
  });
  await fixture.call(callerKey.authorization, 'query', { sql: 'select nothing', project_id: fixture.staff });
  const [saved, direct, denied] = (await fixture.audited()).slice(before);
  const shared = {
    actor_kind: 'api_key',
    api_key_id: callerKey.id,
    via: 'Client',
    durationMs: expect.any(Number),
  };
  expect(saved).toMatchObject({
    ...shared,
    project_id: fixture.sales,
    subject_kind: 'query',
    subject_id: fixture.savedQuery,
    tool: 'run_saved_query',
    version: 1,
    outcome: 'Succeeded',
    rowCount: 1,
    resultBytes: expect.any(Number),
    maskedColumns: [],
  });
  expect(direct).toMatchObject({
    ...shared,
    tool: 'query',
    subject_kind: 'data_source',
    subject_id: fixture.salesSource,
    rowCount: 2,
    maskedColumns: ['email'],
    arguments: ['{"sql":"select email from customers order by id limit 2"}'],
  });
  expect(denied).toMatchObject({ ...shared, project_id: null, outcome: 'project-denied', rowCount: null });
  expect(denied).not.toHaveProperty('arguments');
  const page = await fixture.root.get(`/svc/api/mcp/audit?event=mcp&apiKeyId=${callerKey.id}`);
  expect(page.body.totalCount).toBe(3);
});
