import { createServer } from 'node:http';
import { createSvc, loadConfig, type Svc, type SvcOptions } from '@svc/server';
import pg from 'pg';
import { pino } from 'pino';
import { openPool } from '../../../server/src/platform/db/index.ts';
import { createHttpClient, type HttpClient } from '../client/http-client.ts';
import type { TestDatabase } from '../database/database.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import type { Settings } from './settings.ts';

/** Default setup token of all services in tests. */
export const setupToken = 'setup-token-of-the-tests-0123456789abcdef';

/** Default encryption key of all services in tests. */
export const encryptionKey = 'encryption-key-of-the-tests-0123456789';

/** Body of the host application's 404 response for paths outside of the service. */
export const hostAnswer = 'The host application';

/** Entry of the service's log. */
export type LogEntry = { readonly level: number; readonly msg: string; readonly [key: string]: unknown };

/** Numeric levels of log entries. */
export const logLevel = { info: 30, warn: 40, error: 50 } as const;

/** Returns the connection that the service uses. A test can thus put a proxy before the database. */
export type Wiring = (connection: TestDatabase['connection']) => Promise<TestDatabase['connection']>;

export type ServiceOptions = {
  /** Settings that override `defaultSettings`. */
  readonly config?: Settings;
  readonly svc?: Partial<SvcOptions>;
  /** Service whose database the new service shares. Default: a new database. */
  readonly on?: Pick<RunningService, 'testDatabase'>;
  readonly wire?: Wiring;
};

/** Service that listens on its own port. It has its own database or shares that of another service. */
export type RunningService = {
  readonly origin: string;
  readonly svc: Svc;
  /** Creates a client that acts as a browser, or as a program if it has an Authorization header. */
  readonly client: (authorization?: string) => HttpClient;
  /** All log entries so far. */
  readonly log: readonly LogEntry[];
  readonly testDatabase: TestDatabase;
  /** Connections as the service's role, for inspection and for states that no route can create. */
  readonly database: pg.Pool;
  /** Executes a statement as the superuser, for states of older versions and for fault injection. */
  readonly sql: <Row extends pg.QueryResultRow>(
    statement: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
  /** Runs the re-encryption, as the host's command does. */
  readonly rotateSecrets: Svc['rotateSecrets'];
  /** Starts another instance on the same database, with additional settings. `close` also closes the instance. */
  readonly replica: (config?: Settings, svc?: Partial<SvcOptions>) => Promise<RunningService>;
  readonly close: () => Promise<void>;
};

/** Settings of all services in tests. */
export const defaultSettings: Settings = {
  'Svc:UserManagement:SetupToken': setupToken,
  'Svc:EncryptionKey': encryptionKey,
  // A busy machine takes long to start an engine.
  'Svc:Query:TimeoutSeconds': 100,
  // Clients send their own address, so that throttles count each client separately.
  'Svc:ForwardedHeaders:KnownProxies': ['127.0.0.1'],
  'Svc:Logging:Level': 'debug',
};

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service listens on no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Starts a service without a completed setup. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const testDatabase = options.on?.testDatabase ?? (await createMigratedDatabase());
  const drop = async () => (options.on ? undefined : testDatabase.drop());
  try {
    const connection = (await options.wire?.(testDatabase.connection)) ?? testDatabase.connection;
    const service = await startOn(testDatabase, connection, options);
    const close = async () => {
      await service.close();
      await drop();
    };
    return { ...service, close };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function startOn(
  testDatabase: TestDatabase,
  connection: TestDatabase['connection'],
  options: ServiceOptions,
): Promise<RunningService> {
  const log: LogEntry[] = [];
  const svc = await createSvc({
    config: loadConfig({ values: { ...defaultSettings, ...options.config } }).config,
    database: connection,
    // On a busy machine, a late notice of the check would refuse the start.
    isDatabaseChecked: true,
    log: pino({ level: 'debug', base: null }, { write: (line) => void log.push(JSON.parse(line)) }),
    ...options.svc,
  });
  const server = createServer((request, response) =>
    svc.handle(request, response, () => response.writeHead(404).end(hostAnswer)),
  );
  server.on('upgrade', (request, socket, head) => {
    if (!svc.upgrade(request, socket, head)) socket.destroy();
  });
  const origin = await listen(server);
  await svc.start();
  const database = openPool({ connection: testDatabase.connection, max: 4 });
  const admin = new pg.Pool({ ...testDatabase.adminConnection, max: 2 });
  const replicas: RunningService[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    for (const replica of replicas) await replica.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await svc.close();
    await Promise.all([admin.end(), database.end()]);
  };
  return {
    origin,
    svc,
    client: (authorization) => createHttpClient(origin, authorization),
    log,
    testDatabase,
    database,
    sql: async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
      (await admin.query<Row>(statement, [...values])).rows,
    rotateSecrets: svc.rotateSecrets,
    replica: async (config = {}, more = {}) => {
      const replica = await startOn(testDatabase, connection, {
        ...options,
        config: { ...options.config, ...config },
        svc: { ...options.svc, ...more },
      });
      replicas.push(replica);
      return replica;
    },
    close: () => (closing ??= closeAll()),
  };
}
