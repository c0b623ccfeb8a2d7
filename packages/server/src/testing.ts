import { createHash, randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RoleName, Scope } from '@svc/contract';
import type pg from 'pg';
import { pino } from 'pino';
import { createMigratedDatabase, type TestDatabase } from '../../../tools/test/database.ts';
import { createPasswordHashing } from './domains/passwords/index.ts';
import { type ConfigSources, loadConfig } from './platform/config/index.ts';
import { systemRandomness } from './platform/crypto/index.ts';
import { openPool } from './platform/db/index.ts';
import { createSvc, type Svc, type SvcOptions } from './svc.ts';

/** For tests of this package: a real service on a port and a database of its own, and people to use it. */

type Values = NonNullable<ConfigSources['values']>;
export type LogEntry = { readonly level: number; readonly msg: string; readonly [key: string]: unknown };

export type TestSvc = {
  readonly origin: string;
  readonly svc: Svc;
  readonly testDatabase: TestDatabase;
  /** The service's own role on the service's database: to look at, and to bring about what no route can. */
  readonly database: pg.Pool;
  readonly log: readonly LogEntry[];
  readonly close: () => Promise<void>;
};

/** The setup token of every test service. */
export const testSetupToken = 'setup-token-of-the-tests-0123456789abcdef';
/** The password of everybody in the tests. */
export const testPassword = 'Correct-horse-7-battery';

/** Settings of every test service. */
export const testValues: Values = {
  'Svc:UserManagement:SetupToken': testSetupToken,
  'Svc:EncryptionKey': 'encryption-key-of-the-tests-0123456789',
  // A busy machine takes long to start an engine.
  'Svc:Query:TimeoutSeconds': 100,
  // Clients name their address themselves, so that throttles count each of them alone.
  'Svc:ForwardedHeaders:KnownProxies': ['127.0.0.1'],
};

/** Starts a service. `on`: a second one on the database of another. */
export async function startTestSvc(
  options: { config?: Values; svc?: Partial<SvcOptions>; on?: Pick<TestSvc, 'testDatabase'> } = {},
): Promise<TestSvc> {
  const testDatabase = options.on?.testDatabase ?? (await createMigratedDatabase());
  const log: LogEntry[] = [];
  const svc = await createSvc({
    config: loadConfig({ values: { ...testValues, ...options.config } }).config,
    database: testDatabase.connection,
    log: pino({ level: 'debug', base: null }, { write: (line) => void log.push(JSON.parse(line)) }),
    ...options.svc,
  });
  const server = createServer((request, response) =>
    svc.handle(request, response, () => response.writeHead(404).end()),
  );
  server.on('upgrade', (request, socket, head) => {
    if (!svc.upgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await svc.start();
  const database = openPool({ connection: testDatabase.connection, max: 4 });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    svc,
    testDatabase,
    database,
    log,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await svc.close();
      await database.end();
      if (!options.on) await testDatabase.drop();
    },
  };
}

export type TestAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
};

export type TestRequest = {
  readonly headers?: Readonly<Record<string, string>>;
  /** False: no antiforgery header is sent. */
  readonly antiforgery?: boolean;
};

/** A browser (cookies, antiforgery header) or, with an Authorization header, a program. */
export type TestClient = {
  readonly cookies: Map<string, string>;
  readonly send: (method: string, path: string, body?: unknown, request?: TestRequest) => Promise<TestAnswer>;
  readonly get: (path: string, request?: TestRequest) => Promise<TestAnswer>;
  readonly post: (path: string, body?: unknown, request?: TestRequest) => Promise<TestAnswer>;
  readonly put: (path: string, body?: unknown, request?: TestRequest) => Promise<TestAnswer>;
  readonly patch: (path: string, body?: unknown, request?: TestRequest) => Promise<TestAnswer>;
  readonly delete: (path: string, request?: TestRequest) => Promise<TestAnswer>;
};

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';');
    const name = pair.slice(0, pair.indexOf('=')).trim();
    const value = pair.slice(pair.indexOf('=') + 1).trim();
    const isGone =
      value === '' || attributes.some((text) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(text));
    if (isGone) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** Makes a client with an address and a cookie jar of its own. */
export function createTestClient(origin: string, authorization?: string): TestClient {
  const cookies = new Map<string, string>();
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

  const transmit = async (method: string, path: string, headers: Record<string, string>, body: unknown) => {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        ...(jar !== '' && { cookie: jar }),
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    keepCookies(cookies, response);
    return response;
  };
  const token = async (): Promise<Record<string, string>> => {
    const response = await transmit('GET', '/svc/api/csrf', {}, undefined);
    return response.ok ? { 'x-xsrf-token': ((await response.json()) as { token: string }).token } : {};
  };
  const send: TestClient['send'] = async (method, path, body, request = {}) => {
    const needsToken =
      !safe.has(method) &&
      authorization === undefined &&
      cookies.has('Svc.Auth') &&
      request.antiforgery !== false;
    const headers = { ...(needsToken && (await token())), ...request.headers };
    const response = await transmit(method, path, headers, body);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    cookies,
    send,
    get: (path, request) => send('GET', path, undefined, request),
    post: (path, body, request) => send('POST', path, body, request),
    put: (path, body, request) => send('PUT', path, body, request),
    patch: (path, body, request) => send('PATCH', path, body, request),
    delete: (path, request) => send('DELETE', path, undefined, request),
  };
}

/** The super admin that `setUpAdmin` makes. */
export const testSuperAdmin = 'root';

/** Closes the setup and signs its administrator in. */
export async function setUpAdmin(origin: string): Promise<TestClient> {
  const answer = await createTestClient(origin).post('/svc/api/setup/superadmin', {
    setupToken: testSetupToken,
    userName: testSuperAdmin,
    displayName: 'The first administrator',
    email: 'root@example.org',
    password: testPassword,
    confirmPassword: testPassword,
  });
  if (answer.status !== 201) throw new Error(`Setup failed: ${answer.status} ${answer.text}`);
  return signIn(origin, testSuperAdmin);
}

/** Signs somebody in, in a browser of their own. */
export async function signIn(origin: string, userName: string, password = testPassword): Promise<TestClient> {
  const client = createTestClient(origin);
  const answer = await client.post('/svc/api/auth/login', { username: userName, password });
  if (answer.status !== 200)
    throw new Error(`${userName} could not sign in: ${answer.status} ${answer.text}`);
  return client;
}

type Store = Pick<pg.Pool, 'query'>;
let sharedHash: Promise<string> | undefined;

/** Adds a user with the tests' password straight to the database. */
export async function createUser(
  database: Store,
  userName: string,
  roles: RoleName | readonly RoleName[] = [],
): Promise<number> {
  sharedHash ??= createPasswordHashing({ iterations: 100_000, random: systemRandomness }).hash(testPassword);
  const { rows } = await database.query<{ id: number }>(
    `insert into svc.users (user_name, display_name, kind, password_hash)
     values ($1, $1, 'Internal', $2) returning id`,
    [userName, await sharedHash],
  );
  const id = rows[0]?.id ?? 0;
  await setRoles(database, id, typeof roles === 'string' ? [roles] : roles);
  return id;
}

/** Gives a user exactly these roles, straight in the database. */
export async function setRoles(database: Store, userId: number, roles: readonly RoleName[]): Promise<void> {
  await database.query('delete from svc.user_roles where user_id = $1', [userId]);
  await database.query('insert into svc.user_roles (user_id, role) select $1, unnest($2::text[])', [
    userId,
    roles,
  ]);
}

export type TestKey = { readonly id: number; readonly plainTextKey: string; readonly authorization: string };

/** Adds a key straight to the database. `projectIds` null: a key from before lists were required. */
export async function createKey(
  database: Store,
  ownerUserId: number,
  key: {
    scopes?: readonly (Scope | 'Admin')[];
    projectIds?: readonly number[] | null;
    expiresAt?: Date | null;
  } = {},
): Promise<TestKey> {
  const plainTextKey = `sk-sem_${randomBytes(32).toString('base64').replaceAll(/[+/=]/g, '')}`;
  const expiresAt = key.expiresAt === undefined ? new Date(Date.now() + 86_400_000) : key.expiresAt;
  const { rows } = await database.query<{ id: number }>(
    `insert into svc.api_keys (name, key_hash, prefix, owner_user_id, scopes, allowed_project_ids, expires_at,
       owner_generation)
     select 'A key', $1, $2, id, $4, $5, $6, api_key_generation from svc.users where id = $3 returning id`,
    [
      createHash('sha256').update(plainTextKey).digest(),
      plainTextKey.slice(0, 16),
      ownerUserId,
      key.scopes ?? ['Read'],
      key.projectIds === undefined ? [] : key.projectIds,
      expiresAt,
    ],
  );
  return { id: rows[0]?.id ?? 0, plainTextKey, authorization: `Bearer ${plainTextKey}` };
}
