import { once } from 'node:events';
import net from 'node:net';

/** A proxy between a service and its database that a scenario can silence. */
export type DatabaseProxy = {
  readonly host: string;
  readonly port: number;
  /** Stops all traffic. Connections stay open, and the proxy accepts new connections without traffic. */
  readonly silence: () => void;
  /** Resumes all traffic, including the delayed data. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
};

/** Starts a proxy on loopback in front of a database server. */
export async function startDatabaseProxy(target: { host: string; port: number }): Promise<DatabaseProxy> {
  const sockets = new Set<net.Socket>();
  let isSilent = false;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    // A connection error concerns no scenario: the proxy closes both ends.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (isSilent) socket.pause();
  };
  const server = net.createServer((client) => {
    const database = target.host.startsWith('/')
      ? net.connect(`${target.host}/.s.PGSQL.${target.port}`)
      : net.connect(target.port, target.host);
    keep(client);
    keep(database);
    client.on('data', (chunk) => database.write(chunk));
    database.on('data', (chunk) => client.write(chunk));
    client.on('close', () => database.destroy());
    database.on('close', () => client.destroy());
    if (isSilent) for (const socket of [client, database]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy listens on no port.');
  return {
    host: '127.0.0.1',
    port: address.port,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    restore: () => {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
