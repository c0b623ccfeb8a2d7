import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createEmptyDatabase } from '../../../../../../tools/test/database.ts';
import {
  createKey,
  createUser,
  setUpAdmin,
  startTestSvc,
  type TestClient,
  type TestKey,
  type TestSvc,
} from '../../../testing.ts';

/** For tests of MCP: a running service with two projects, one data source each, and somebody's keys. */
export type McpWorld = {
  readonly svc: TestSvc;
  readonly root: TestClient;
  /** An Editor who is a member of the restricted projects. */
  readonly editorId: number;
  readonly sales: number;
  readonly staff: number;
  readonly salesSource: number;
  readonly staffSource: number;
  readonly savedQuery: number;
  /** The watched database, as its owner. */
  readonly watched: pg.Client;
  readonly key: (
    projectIds: readonly number[] | null,
    scopes?: readonly ('Read' | 'Execute')[],
  ) => Promise<TestKey>;
  /** One message; answers its HTTP status, headers and JSON. */
  readonly post: (
    authorization: string | undefined,
    message: unknown,
    headers?: Record<string, string>,
  ) => Promise<McpAnswer>;
  /** Calls a tool in the older era; answers the result. */
  readonly call: (authorization: string, name: string, args?: unknown) => Promise<CallAnswer>;
  /** Details of the audit events of calls, oldest first. */
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

const section = 'Svc:Authentication:Jwt';
const secret = 'b3f1c9d27a6e4c0f8d5b2a7e9c1f4d6a8b0e3c5d';
export const issuer = 'https://idp.example.com';

/** Settings under which tokens of `tokenOf` are taken. */
export const tokenSettings = {
  [`${section}:EnableBearerAuthentication`]: true,
  [`${section}:Validation:SigningKey`]: secret,
  [`${section}:Validation:ValidIssuers`]: [issuer],
  [`${section}:Validation:ValidAudience`]: 'svc-api',
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of the identity provider. */
export function tokenOf(claims: Record<string, unknown> = {}, header: object = { typ: 'at+jwt' }): string {
  const now = Math.floor(Date.now() / 1_000);
  const sound = { iss: issuer, aud: 'svc-api', sub: 'user-1', exp: now + 600, iat: now };
  const signed = `${encode({ alg: 'HS256', ...header })}.${encode({ ...sound, ...claims })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

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

type Values = Parameters<typeof startTestSvc>[0];

export async function startMcpWorld(options: NonNullable<Values> = {}): Promise<McpWorld> {
  const database = await createEmptyDatabase();
  const watched = new pg.Client(database.connection);
  await watched.connect();
  await watched.query(seed);
  const svc = await startTestSvc(options);
  const root = await setUpAdmin(svc.origin);
  const made = async (path: string, body: unknown): Promise<number> => {
    const answer = await root.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const editorId = await createUser(svc.database, 'editor', 'Editor');
  const addProject = async (name: string) => {
    const id = await made('/svc/api/projects', { name, description: `All of ${name}` });
    await root.post(`/svc/api/projects/${id}/members`, { userName: 'editor', role: 'Editor' });
    await root.put(`/svc/api/projects/${id}/access-mode`, { accessMode: 'Restricted' });
    return id;
  };
  const addSource = async (project: number, name: string) => {
    const connection = { ...database.connection, tlsMode: 'Disable' };
    const id = await made('/svc/api/data-sources', { name, engine: 'PostgreSQL', connection });
    await made(`/svc/api/projects/${project}/data-sources`, { dataSourceId: id });
    return id;
  };
  const sales = await addProject('Sales');
  const staff = await addProject('Staff');
  const salesSource = await addSource(sales, 'Shop');
  const staffSource = await addSource(staff, 'People');
  const savedQuery = await made('/svc/api/queries', {
    projectId: sales,
    name: 'Orders above',
    description: 'Orders above a total',
    parameters: [{ name: 'least', type: 'Number' }],
    steps: [
      { dataSourceId: salesSource, sql: 'select id, total from orders where total >= {{least}} order by id' },
    ],
  });

  const post: McpWorld['post'] = async (authorization, message, headers = {}) => {
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

/** A statement that does not end by itself, and how to wait for it to run or to be gone. */
export function sleeping(world: () => McpWorld) {
  const running = async () => {
    const { rows } = await world().watched.query(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()",
    );
    return rows[0].count as number;
  };
  return {
    running,
    until: async (wanted: number) => {
      while ((await running()) !== wanted) await pause(20);
    },
    sleepy: { sql: 'select pg_sleep(60)::text as slept' },
  };
}
