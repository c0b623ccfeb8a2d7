import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import path from 'node:path';

/** Port on 127.0.0.1 that forwards to a server's address, for a service that can connect only to ports. */
export type Gate = { readonly port: number; readonly stop: () => void };

/** Returns the address of a PostgreSQL server. `host` may be the folder of its Unix socket. */
export const postgresAddress = ({ host, port }: { host: string; port: number }): NetConnectOpts =>
  host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port };

export async function openGate(address: NetConnectOpts): Promise<Gate> {
  const open = new Set<Socket>();
  const gate = createServer((near) => {
    const far = connect(address);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          other.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const own = gate.address();
  if (own === null || typeof own === 'string') throw new Error('The gate has no port.');
  return {
    port: own.port,
    stop: () => {
      for (const socket of open) socket.destroy();
      gate.close();
    },
  };
}
