import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { Dial } from '../../../connectors/src/port.ts';

/** Host name for the tests' PostgreSQL server, which listens on a Unix socket. */
export const testHost = 'postgres.test';

/** Returns a `dial` that connects `postgres.test` to the server and any other host directly. */
export function databaseDial(server: { readonly host: string; readonly port: number }): Dial {
  return async ({ host, port }, { signal }): Promise<Socket> => {
    const isSocketFolder = server.host.startsWith('/');
    const target =
      host !== testHost
        ? { host, port }
        : isSocketFolder
          ? { path: path.join(server.host, `.s.PGSQL.${server.port}`) }
          : { host: server.host, port: server.port };
    const socket = connect({ ...target, signal });
    await once(socket, 'connect');
    return socket;
  };
}
