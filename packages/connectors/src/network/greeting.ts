import type { Socket } from 'node:net';
import { ConnectorError } from '../error.ts';

/** Returns the first chunk that a server sent; undefined before its arrival. */
export type Greeting = () => Buffer | undefined;

/** Stores the first chunk that a server sends, before any decryption. */
export function keepGreeting(socket: Socket): Greeting {
  let first: Buffer | undefined;
  socket.once('data', (chunk: Buffer) => {
    first = chunk;
  });
  return () => first;
}

/** Error for a server that answers in another protocol, a web server for example. */
export function foreignServer(
  { host, port }: { readonly host: string; readonly port: number },
  { protocol, cause }: { readonly protocol: string; readonly cause: unknown },
): ConnectorError {
  const message = `What answers at ${host}:${port} is no ${protocol} server. Check host and port.`;
  return new ConnectorError('connection-failed', message, { cause });
}
