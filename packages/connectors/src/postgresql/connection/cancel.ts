import { once } from 'node:events';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { BackendKey } from '@svc/pg-wire';
import { tlsOptions } from '../../network/tls.ts';
import type { Dial } from '../../port.ts';
import type { PostgresqlConnection } from '../settings.ts';

const cancelRequestCode = 80_877_102;
const sslRequestCode = 80_877_103;
/** Time limit of a cancel. The server also detects the closed connection. */
const cancelTimeoutMs = 3_000;

/**
 * Requests that the server stops the backend's statement. The protocol requires a separate connection for it.
 * Resolves when the request was sent. A failure is ignored, because the run has already ended for its caller.
 */
export async function cancelBackend(
  dial: Dial,
  connection: PostgresqlConnection,
  key: BackendKey,
): Promise<void> {
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  let socket: Socket | undefined;
  try {
    socket = await dial({ host: connection.host, port: connection.port }, { signal });
    socket.on('error', () => undefined);
    const secure = await encrypt(socket, connection, signal);
    secure.end(cancelRequest(key));
    await once(secure, 'close', { signal });
  } catch {
    // The run has ended, so no caller remains to report to. The backend stops at its statement_timeout at the latest.
  } finally {
    socket?.destroy();
  }
}

async function encrypt(
  socket: Socket,
  connection: PostgresqlConnection,
  signal: AbortSignal,
): Promise<Socket> {
  const options = tlsOptions(connection);
  if (!options) return socket;
  const request = Buffer.alloc(8);
  request.writeInt32BE(8, 0);
  request.writeInt32BE(sslRequestCode, 4);
  socket.write(request);
  const [answer] = await once(socket, 'data', { signal });
  if (String(answer) !== 'S') throw new Error('The server does not offer TLS.');
  const secure = tls.connect({ ...options, socket });
  secure.on('error', () => undefined);
  await once(secure, 'secureConnect', { signal });
  return secure;
}

function cancelRequest({ processId, secretKey }: BackendKey): Buffer {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(cancelRequestCode, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  return request;
}
