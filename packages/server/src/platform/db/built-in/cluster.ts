import { setTimeout as sleep } from 'node:timers/promises';
import { openAdminClient } from './admin-client.ts';
import { type Binaries, locateBinaries } from './binaries.ts';
import { type ClusterLocation, placeCluster } from './location.ts';
import { chooseListening, listeningOf } from './port.ts';
import { keptSecret } from './secrets.ts';
import { initialise, isInitialised, logTail, runningPid, spawnServer } from './server-process.ts';

/** Connection to one database of the built-in server. */
export type BuiltInConnection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
};

/** The running built-in PostgreSQL server. */
export type BuiltInCluster = {
  /**
   * Returns the superuser's connection, for setting up databases and roles. Never use it for the service's own
   * work.
   */
  readonly admin: (database?: string) => BuiltInConnection;
  /** Port on 127.0.0.1, if the server listens there. */
  readonly loopbackPort: number | undefined;
  readonly location: ClusterLocation;
  /** True if a server was already running, left over from a crashed service. */
  readonly isAdopted: boolean;
  readonly version: string;
  /** Stops supervising the server. It continues to run, for another process. */
  readonly leave: () => void;
  /** Stops the server and waits until its process has ended. */
  readonly stop: () => Promise<void>;
};

const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;
/** Interval of the check that restarts a dead server. */
const superviseIntervalMs = 1_000;

/**
 * Starts the PostgreSQL server of a data directory, or adopts a running server that a crashed service left over.
 * Restarts a server that dies later.
 *
 * @param options.settings Additional `postgresql.conf` settings, for tests and for tuning.
 * @throws Error with one sentence and the end of the server's log when the server does not start within 60 s.
 */
export async function startBuiltInCluster(options: {
  dataDirectory: string;
  settings?: Readonly<Record<string, string>>;
  /** Also listens on a loopback port, with the same passwords. Default: only the Unix socket. */
  listensOnLoopback?: boolean;
  /** Programs of another PostgreSQL, version 15 or newer. Default: the programs that npm installed. */
  binaries?: Binaries;
  onNotice?: (line: string) => void;
}): Promise<BuiltInCluster> {
  const location = placeCluster(options.dataDirectory);
  if (location.notice) options.onNotice?.(location.notice);
  const binaries =
    options.binaries ??
    locateBinaries({ unprivilegedUser: location.user !== undefined, sharedDirectory: location.shared });
  const { value: password } = keptSecret(options.dataDirectory, 'postgres-admin-password');
  const needsTcp = process.platform === 'win32' || options.listensOnLoopback === true;
  if (!isInitialised(location)) initialise(binaries, location, password);
  const wasRunning = runningPid(location) !== undefined;
  // A leftover server is adopted unless it lacks the required port.
  const isAdopted = wasRunning && (listeningOf(location).usesTcp || !needsTcp);
  if (wasRunning && !isAdopted) await stopServer(location);
  const listening = isAdopted ? listeningOf(location) : await chooseListening(location, needsTcp);
  const admin = (database = 'postgres'): BuiltInConnection => ({
    host: process.platform === 'win32' ? '127.0.0.1' : location.socket,
    port: listening.port,
    user: 'postgres',
    password,
    database,
  });
  const settings = {
    listen_addresses: listening.usesTcp ? '127.0.0.1' : '',
    unix_socket_directories: process.platform === 'win32' ? '' : location.socket,
    unix_socket_permissions: '0700',
    port: String(listening.port),
    max_connections: '200',
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    ...options.settings,
  };
  const spawnIt = () => spawnServer(binaries, location, settings);
  if (!isAdopted) spawnIt();
  await waitUntilReady(admin(), location, spawnIt);

  let isStopping = false;
  const supervisor = setInterval(() => {
    if (!isStopping && runningPid(location) === undefined) spawnServer(binaries, location, settings);
  }, superviseIntervalMs);
  supervisor.unref();

  return {
    admin,
    loopbackPort: listening.usesTcp ? listening.port : undefined,
    location,
    isAdopted,
    version: binaries.version,
    leave: () => clearInterval(supervisor),
    stop: async () => {
      isStopping = true;
      clearInterval(supervisor);
      await stopServer(location);
    },
  };
}

/**
 * Waits until the server accepts connections. An adopted server may have been stopping; once it has ended, a new
 * one is spawned.
 */
async function waitUntilReady(
  connection: BuiltInConnection,
  location: ClusterLocation,
  spawnIt: () => void,
): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  let seenAt = performance.now();
  for (;;) {
    if (runningPid(location) !== undefined) seenAt = performance.now();
    else if (performance.now() - seenAt > superviseIntervalMs) {
      spawnIt();
      seenAt = performance.now();
    }
    const client = openAdminClient({ ...connection, connectionTimeoutMillis: 5_000 });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      // 28P01: the password is wrong. Waiting does not help.
      if ((error as { code?: string }).code === '28P01') {
        throw new Error(
          'The built-in PostgreSQL refuses the password kept in the data directory (secrets/postgres-admin-password).',
        );
      }
      if (performance.now() > deadline) {
        throw new Error(
          `The built-in PostgreSQL did not come up within 60 s. The end of its log (${location.logFile}):\n${logTail(location)}`,
        );
      }
    }
    await sleep(25);
  }
}

async function stopServer(location: ClusterLocation): Promise<void> {
  const pid = runningPid(location);
  if (pid === undefined) return;
  // SIGINT is the "fast" shutdown: it ends sessions and loses no data.
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + stopTimeoutMs;
  while (runningPid(location) !== undefined && performance.now() < deadline) await sleep(20);
  const still = runningPid(location);
  if (still !== undefined) process.kill(still, 'SIGQUIT');
}
