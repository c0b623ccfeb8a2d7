import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { Dial } from '../../../connectors/src/port.ts';

/** The name under which the tests' PostgreSQL server is dialled; the server itself listens on a Unix socket. */
export const testHost = 'postgres.test';

/** A `dial` of the tests: `postgres.test` leads to the given server, any other name is connected to as it is. */
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
