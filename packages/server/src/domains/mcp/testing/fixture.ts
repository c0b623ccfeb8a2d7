import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { createKey, createUser, type TestKey } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import pg from 'pg';

/** Fixture of MCP tests: a running service with two projects, one data source each, and API keys of a user. */
export type McpFixture = {
  readonly svc: RunningService;
  readonly root: HttpClient;
  /** An Editor who is a member of the restricted projects. */
  readonly editorId: number;
  readonly sales: number;
  readonly staff: number;
  readonly salesSource: number;
  readonly staffSource: number;
  readonly savedQuery: number;
  /** Connection to the watched database as its owner. */
  readonly watched: pg.Client;
  readonly key: (
    projectIds: readonly number[] | null,
    scopes?: readonly ('Read' | 'Execute')[],
  ) => Promise<TestKey>;
  /** Posts one message. Returns HTTP status, headers and JSON. */
  readonly post: (
    authorization: string | undefined,
    message: unknown,
    headers?: Record<string, string>,
  ) => Promise<McpAnswer>;
  /** Calls a tool with an older protocol revision. Returns the result. */
  readonly call: (authorization: string, name: string, args?: unknown) => Promise<CallAnswer>;
  /** Allows clients to find and run every saved query, published or not. */
  readonly offerAllQueries: () => Promise<void>;
  /** Returns details of the audit events of calls, oldest first. */
  readonly audited: () => Promise<Record<string, unknown>[]>;
  readonly close: () => Promise<void>;
};

export type McpAnswer = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
};

export type CallAnswer = {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly structuredContent?: any;
};

const seed = `
  create table customers (id int primary key, name text, email text, note text);
  comment on table customers is 'People who buy';
  comment on column customers.note is 'What support wrote down';
  insert into customers select n, 'Customer ' || n, 'customer' || n || '@example.com', 'note ' || n from generate_series(1, 40) n;
  create table orders (id int primary key, customer_id int references customers, total numeric);
  insert into orders select n, n, n * 10 from generate_series(1, 40) n;
  create table salaries (person text, amount int);
  insert into salaries values ('Ada', 100), ('Bob', 90);
`;

type Values = Parameters<typeof startService>[0];

export async function startMcpFixture(options: NonNullable<Values> = {}): Promise<McpFixture> {
  const database = await createEmptyDatabase();
  const watched = new pg.Client(database.connection);
  await watched.connect();
  await watched.query(seed);
  const svc = await startService(options);
  const root = await setUp(svc);
  const create = async (path: string, body: unknown): Promise<number> => {
    const answer = await root.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const editorId = await createUser(svc.database, 'editor', 'Editor');
  const addProject = async (name: string) => {
    const id = await create('/svc/api/projects', { name, description: `All of ${name}` });
    await root.post(`/svc/api/projects/${id}/members`, { userName: 'editor', role: 'Editor' });
    await root.put(`/svc/api/projects/${id}/access-mode`, { accessMode: 'Restricted' });
    return id;
  };
  const addSource = async (project: number, name: string) => {
    const connection = { ...database.connection, tlsMode: 'Disable' };
    const id = await create('/svc/api/data-sources', { name, engine: 'PostgreSQL', connection });
    await create(`/svc/api/projects/${project}/data-sources`, { dataSourceId: id });
    return id;
  };
  const sales = await addProject('Sales');
  const staff = await addProject('Staff');
  const salesSource = await addSource(sales, 'Shop');
  const staffSource = await addSource(staff, 'People');
  const savedQuery = await create('/svc/api/queries', {
    projectId: sales,
    name: 'Orders above',
    description: 'Orders above a total',
    parameters: [{ name: 'least', type: 'Number' }],
    steps: [
      { dataSourceId: salesSource, sql: 'select id, total from orders where total >= {{least}} order by id' },
    ],
  });

  const post: McpFixture['post'] = async (authorization, message, headers = {}) => {
    const response = await fetch(`${svc.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization !== undefined && { authorization }),
        ...headers,
      },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  };
  return {
    svc,
    root,
    editorId,
    sales,
    staff,
    salesSource,
    staffSource,
    savedQuery,
    watched,
    post,
    key: (projectIds, scopes = ['Execute']) => createKey(svc.database, editorId, { scopes, projectIds }),
    call: async (authorization, name, args = {}) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { status, body } = await post(authorization, message);
      if (status !== 200 || !body.result)
        throw new Error(`${name} answered ${status} ${JSON.stringify(body)}`);
      return body.result;
    },
    offerAllQueries: async () => {
      const { status, text } = await root.put('/svc/api/mcp/settings', { savedQueries: 'All' });
      if (status !== 200) throw new Error(`${status} ${text}`);
    },
    audited: async () => {
      const { rows } = await svc.database.query(
        "select actor_kind, api_key_id, project_id, subject_kind, subject_id, detail from svc.audit_events where event = 'mcp.tool_called' order by id",
      );
      return rows.map(({ detail, ...row }) => ({ ...row, ...detail }));
    },
    close: async () => {
      await svc.close();
      await watched.end();
      await database.drop();
    },
  };
}

/** Returns a statement that runs until it is cancelled, with functions that wait for its start and its end. */
export function sleeping(fixture: () => McpFixture) {
  const running = async () => {
    const { rows } = await fixture().watched.query(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()",
    );
    return rows[0].count as number;
  };
  return {
    running,
    until: async (count: number) => {
      while ((await running()) !== count) await pause(20);
    },
    sleepy: { sql: 'select pg_sleep(60)::text as slept' },
  };
}
