import type { Socket } from 'node:net';
import { ConnectorError } from './error.ts';

/** What a server said first; undefined while it is silent. */
export type Greeting = () => Buffer | undefined;

/** Keeps what a server says first, as it comes over the network. */
export function keepGreeting(socket: Socket): Greeting {
  let first: Buffer | undefined;
  socket.once('data', (chunk: Buffer) => {
    first = chunk;
  });
  return () => first;
}

/** A server that answers and speaks another protocol, a web server for example. */
export function foreignServer(
  { host, port }: { readonly host: string; readonly port: number },
  { protocol, cause }: { readonly protocol: string; readonly cause: unknown },
): ConnectorError {
  const message = `What answers at ${host}:${port} is no ${protocol} server. Check host and port.`;
  return new ConnectorError('connection-failed', message, { cause });
}
