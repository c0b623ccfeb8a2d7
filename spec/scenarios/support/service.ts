import { createServer } from 'node:http';
import { createSvc, loadConfig, type Svc, type SvcOptions } from '@svc/server';
import pg from 'pg';
import { pino } from 'pino';
import { createMigratedDatabase, type TestDatabase } from '../../../tools/test/database.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { Settings } from './settings.ts';

export type { Settings };

/** The setup token of every service that a scenario starts, unless it says otherwise. */
export const setupToken = 'setup-token-of-the-scenarios-0123456789';

/** What the application around the service answers to every path that is not the service's. */
export const hostAnswer = 'The host application';

/** One entry of the service's log. */
export type LogEntry = { readonly level: number; readonly msg: string; readonly [key: string]: unknown };

/** Levels of log entries, as numbers. */
export const logLevel = { info: 30, warn: 40, error: 50 } as const;

/** A service that listens on a port of its own, over a database of its own. */
export type RunningService = {
  readonly origin: string;
  /** A new browser, or with an Authorization header a program. */
  readonly client: (authorization?: string) => HttpClient;
  /** Everything that the service logged so far. */
  readonly log: readonly LogEntry[];
  /** A statement on the service's database: for states that older versions left, and for what is stored. */
  readonly sql: <Row extends pg.QueryResultRow>(
    statement: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
  /** The re-encryption run, as the host's command starts it. */
  readonly rotateSecrets: Svc['rotateSecrets'];
  /** Starts a second process on the same database. */
  readonly replica: (settings?: Settings, options?: Partial<SvcOptions>) => Promise<RunningService>;
  readonly close: () => Promise<void>;
};

const defaults: Settings = {
  'Svc:UserManagement:SetupToken': setupToken,
  'Svc:EncryptionKey': 'encryption-key-of-the-scenarios-0123456789',
  // A busy machine takes long to start an engine.
  'Svc:Query:TimeoutSeconds': 100,
  // The clients say where they come from; the throttles count by it.
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

async function startOn(
  database: TestDatabase,
  settings: Settings,
  options: Partial<SvcOptions>,
): Promise<RunningService> {
  const log: LogEntry[] = [];
  const { config } = loadConfig({ values: { ...defaults, ...settings } });
  const svc = await createSvc({
    config,
    database: database.connection,
    log: pino({ level: 'debug', base: null }, { write: (line) => void log.push(JSON.parse(line)) }),
    ...options,
  });
  const server = createServer((request, response) =>
    svc.handle(request, response, () => response.end(hostAnswer)),
  );
  server.on('upgrade', (request, socket, head) => {
    if (!svc.upgrade(request, socket, head)) socket.destroy();
  });
  const origin = await listen(server);
  await svc.start();
  const admin = new pg.Pool({ ...database.adminConnection, max: 2 });
  const opened: RunningService[] = [];
  let isClosed = false;
  return {
    origin,
    client: (authorization) => createHttpClient(origin, authorization),
    log,
    sql: async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
      (await admin.query<Row>(statement, [...values])).rows,
    rotateSecrets: svc.rotateSecrets,
    replica: async (more = {}, moreOptions = {}) => {
      const replica = await startOn(database, { ...settings, ...more }, { ...options, ...moreOptions });
      opened.push(replica);
      return replica;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const replica of opened) await replica.close();
      await admin.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await svc.close();
    },
  };
}

/** How a service reaches its database: by the given connection, unless a scenario puts something in between. */
export type Wiring = (connection: TestDatabase['connection']) => Promise<TestDatabase['connection']>;

/** Starts a service whose setup is still open. */
export async function startService(
  settings: Settings = {},
  options: Partial<SvcOptions> = {},
  wire: Wiring = async (connection) => connection,
): Promise<RunningService> {
  const database = await createMigratedDatabase();
  try {
    const connection = await wire(database.connection);
    const service = await startOn({ ...database, connection }, settings, options);
    const close = async () => {
      await service.close();
      await database.drop();
    };
    return { ...service, close };
  } catch (error) {
    await database.drop();
    throw error;
  }
}
