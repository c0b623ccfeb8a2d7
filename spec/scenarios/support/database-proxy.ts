import { once } from 'node:events';
import net from 'node:net';

/** A wire between a service and its database that a scenario can make silent. */
export type DatabaseProxy = {
  readonly host: string;
  readonly port: number;
  /** Nothing passes any more; connections stay open, and new ones are taken and left waiting. */
  readonly silence: () => void;
  /** Everything passes again, also what was held back. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
};

/** Starts a proxy on loopback in front of a database server. */
export async function startDatabaseProxy(target: { host: string; port: number }): Promise<DatabaseProxy> {
  const sockets = new Set<net.Socket>();
  let isSilent = false;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    // Ends of connections are the subject of neither side: the other end is closed with it.
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
