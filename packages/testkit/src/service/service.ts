import { createServer } from 'node:http';
import { createSvc, loadConfig, type Svc, type SvcOptions } from '@svc/server';
import pg from 'pg';
import { pino } from 'pino';
import { openPool } from '../../../server/src/platform/db/index.ts';
import { createHttpClient, type HttpClient } from '../client/http-client.ts';
import type { TestDatabase } from '../database/database.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import type { Settings } from './settings.ts';

/** The setup token of every service that a test starts, unless it says otherwise. */
export const setupToken = 'setup-token-of-the-tests-0123456789abcdef';

/** The encryption key of every service that a test starts, unless it says otherwise. */
export const encryptionKey = 'encryption-key-of-the-tests-0123456789';

/** What the application around the service answers to every path that is not the service's, with 404. */
export const hostAnswer = 'The host application';

/** One entry of the service's log. */
export type LogEntry = { readonly level: number; readonly msg: string; readonly [key: string]: unknown };

/** Levels of log entries, as numbers. */
export const logLevel = { info: 30, warn: 40, error: 50 } as const;

/** How a service reaches its database: by the given connection, unless a test puts something in between. */
export type Wiring = (connection: TestDatabase['connection']) => Promise<TestDatabase['connection']>;

/** What a service is started with. */
export type ServiceOptions = {
  /** Settings beside `defaultSettings`. */
  readonly config?: Settings;
  readonly svc?: Partial<SvcOptions>;
  /** Whose database it uses. Default: a new one of its own. */
  readonly on?: Pick<RunningService, 'testDatabase'>;
  readonly wire?: Wiring;
};

/** A service that listens on a port of its own, over a database of its own or of another one. */
export type RunningService = {
  readonly origin: string;
  readonly svc: Svc;
  /** A new browser, or with an Authorization header a program. */
  readonly client: (authorization?: string) => HttpClient;
  /** Everything that the service logged so far. */
  readonly log: readonly LogEntry[];
  readonly testDatabase: TestDatabase;
  /** The service's own role on the service's database: to look at, and to bring about what no route can. */
  readonly database: pg.Pool;
  /** A statement of the superuser on the service's database: for states that older versions left, and to break things. */
  readonly sql: <Row extends pg.QueryResultRow>(
    statement: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
  /** The re-encryption run, as the host's command starts it. */
  readonly rotateSecrets: Svc['rotateSecrets'];
  /** Starts a second process on the same database, with more settings; this one closes it. */
  readonly replica: (config?: Settings, svc?: Partial<SvcOptions>) => Promise<RunningService>;
  readonly close: () => Promise<void>;
};

/** Settings of every service of the tests. */
export const defaultSettings: Settings = {
  'Svc:UserManagement:SetupToken': setupToken,
  'Svc:EncryptionKey': encryptionKey,
  // A busy machine takes long to start an engine.
  'Svc:Query:TimeoutSeconds': 100,
  // Clients name their address themselves, so that throttles count each of them alone.
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

/** Starts a service whose setup is still open. */
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
    // A notice of the check that arrives late on a busy machine would refuse the start.
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
