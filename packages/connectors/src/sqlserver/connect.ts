import type { Socket } from 'node:net';
import type * as Tedious from 'tedious';
import { ConnectorError } from '../error.ts';
import { dialSocket } from '../network/dialled-socket.ts';
import { foreignServer } from '../network/greeting.ts';
import { tlsOptions } from '../network/tls.ts';
import type { Dial } from '../port.ts';
import { type ServerError, serverError } from './errors.ts';
import type { SqlserverConnection } from './settings.ts';

/** Signed-in connection, and its driver. */
export type Client = {
  readonly driver: Pick<typeof Tedious, 'Request' | 'TYPES'>;
  readonly tds: Tedious.Connection;
};

/** Milliseconds between an attention and the end of the connection, when the server does not answer it. */
export const attentionTimeoutMs = 5_000;
/** Largest number of dialled servers: a server may refer its clients to another one. */
const addressesMax = 3;
/** Largest number of bytes that a server may send before sign-in. */
const greetingBytesMax = 1024 * 1024;
/** Type of all messages of a server. */
const answerType = 4;

type Attempt = {
  readonly connection: SqlserverConnection;
  readonly dial: Dial;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
};

/** Connects and signs in. All connections to SQL Server start here. */
export async function connectClient({ connection, dial, signal, timeoutMs }: Attempt): Promise<Client> {
  const { default: driver } = await import('tedious');
  // The driver's own promise may never settle after a close in the middle of a message. This promise replaces it.
  const failure = Promise.withResolvers<never>();
  let firstMessage: ServerError | undefined;
  let addresses = 0;
  // A socket may be bound to this signal. It is separate, so that a later abort does not close the socket.
  const connecting = new AbortController();
  let stopWatching = (): void => undefined;
  const openSocket = async (...[target]: readonly unknown[]): Promise<Socket> => {
    addresses++;
    if (addresses > addressesMax)
      throw new ConnectorError('connection-failed', 'The server refers to other servers without end.');
    const socket = await dialSocket(dial, targetOf(target), connecting.signal);
    stopWatching = watchGreeting(socket, connection, giveUp);
    return socket;
  };
  const tds = new driver.Connection(configOf(connection, openSocket, timeoutMs));
  tds.on('error', () => undefined);
  tds.on('errorMessage', (message: ServerError) => {
    firstMessage ??= message;
  });
  tds.on('secure', (secured) => {
    const distrust = connection.tlsMode === 'VerifyCa' ? distrustOf(secured) : undefined;
    if (distrust) giveUp(distrust);
  });
  const giveUp = (error: unknown): void => {
    failure.reject(error);
    tds.close();
  };
  const onAbort = () => {
    connecting.abort(signal.reason);
    giveUp(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const connected = new Promise<void>((resolve, reject) => {
      tds.connect((error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([connected, failure.promise]);
    return { driver, tds };
  } catch (error) {
    tds.close();
    throw firstMessage ? serverError(firstMessage) : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    stopWatching();
  }
}

type Target = { readonly host: string; readonly port: number };

/** Returns the target that the driver requests: the server of the settings, or a server that it refers to. */
function targetOf(target: unknown): Target {
  const { host, port } = target as Target;
  return { host: String(host), port: Number(port) };
}

function configOf(
  connection: SqlserverConnection,
  openSocket: () => Promise<Socket>,
  timeoutMs: number,
): Tedious.ConnectionConfiguration {
  const { tlsMode, caCertificate } = connection;
  return {
    server: connection.host,
    authentication: {
      type: 'default',
      options: { userName: connection.user, password: connection.password },
    },
    options: {
      port: connection.port,
      database: connection.database,
      connector: openSocket,
      appName: 'Svc',
      workstationId: 'svc',
      encrypt: tlsMode !== 'Disable',
      // If the name is not checked, `distrustOf` checks the certificate chain.
      trustServerCertificate: tlsMode !== 'VerifyFull',
      cryptoCredentialsDetails: {
        minVersion: tlsOptions(connection)?.minVersion ?? 'TLSv1.2',
        ...(caCertificate === undefined ? {} : { ca: caCertificate }),
      },
      connectTimeout: timeoutMs,
      requestTimeout: 0,
      cancelTimeout: attentionTimeoutMs,
      maxRetriesOnTransientErrors: 0,
      abortTransactionOnError: true,
    },
  };
}

type Secured = { readonly authorized?: unknown; readonly authorizationError?: unknown };

/** Returns the reason why a certificate is not trusted, apart from its name. The name is checked only after the chain. */
function distrustOf({ authorized, authorizationError }: Secured): Error | undefined {
  const code = String(authorizationError ?? '');
  if (authorized === true || code === 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  return Object.assign(new Error(code), { code });
}

/** Reports a server of another protocol by its first byte, and a server that sends too many bytes before sign-in. */
function watchGreeting(
  socket: Socket,
  connection: SqlserverConnection,
  onFault: (error: ConnectorError) => void,
): () => void {
  let bytes = 0;
  const see = (chunk: Buffer): void => {
    if (bytes === 0 && chunk[0] !== answerType)
      onFault(foreignServer(connection, { protocol: 'Microsoft SQL', cause: undefined }));
    bytes += chunk.length;
    if (bytes > greetingBytesMax)
      onFault(new ConnectorError('connection-lost', 'The server says too much before anybody is signed in.'));
  };
  socket.on('data', see);
  return () => socket.off('data', see);
}
