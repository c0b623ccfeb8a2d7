import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/**
 * TCP proxy that can stop forwarding without closing, like a network that drops the packets of a connection. Both ends
 * wait, and neither receives an error.
 */
export type SilentProxy = {
  readonly port: number;
  /** Number of connections that clients opened since the start. */
  readonly openedCount: () => number;
  /**
   * Stops forwarding on all established connections. New connections work.
   *
   * @param what  `Answers` still forwards the bytes of clients. Default `Both`.
   * @returns the number of silenced connections.
   */
  readonly silence: (what?: 'Both' | 'Answers') => number;
  /**
   * Stops forwarding on all connections, established and new.
   *
   * @param applicationName  Silences only the connections of this client, which must not use TLS. Default: all.
   */
  readonly silenceAll: (applicationName?: string) => void;
  /** Resumes forwarding, first the delayed bytes, as TCP does after a network outage. */
  readonly restore: () => void;
  readonly stop: () => Promise<void>;
};

type Pair = {
  readonly near: Socket;
  readonly far: Socket;
  /** First bytes of the client. Without TLS they contain its `application_name`. */
  startup: string;
};

/** Opens the proxy on a port of 127.0.0.1 and forwards to a server. */
export async function openSilentProxy(address: NetConnectOpts, port = 0): Promise<SilentProxy> {
  const pairs = new Set<Pair>();
  let opened = 0;
  let isSilenced: (pair: Pair) => boolean = () => false;

  /** Sockets that do not forward, with their other ends. */
  const stopped = new Map<Socket, Socket>();

  const hold = (held: Iterable<Pair>, what: 'Both' | 'Answers'): void => {
    for (const { near, far } of held)
      for (const socket of what === 'Both' ? [near, far] : [far]) {
        socket.unpipe();
        socket.pause();
        stopped.set(socket, socket === near ? far : near);
      }
  };
  const server = createServer((near) => {
    opened += 1;
    const pair: Pair = { near, far: connect(address), startup: '' };
    const { far } = pair;
    pairs.add(pair);
    near.once('data', (chunk: Buffer) => {
      pair.startup = chunk.toString('latin1');
      if (isSilenced(pair)) hold([pair], 'Both');
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          pairs.delete(pair);
          stopped.delete(socket);
          other.destroy();
        });
    near.pipe(far).pipe(near);
    if (isSilenced(pair)) hold([pair], 'Both');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address();
  if (own === null || typeof own === 'string') throw new Error('The proxy has no port.');
  return {
    port: own.port,
    openedCount: () => opened,
    silence: (what = 'Both') => {
      hold(pairs, what);
      return pairs.size;
    },
    silenceAll: (applicationName) => {
      isSilenced = ({ startup }) =>
        applicationName === undefined || startup.includes(`application_name\0${applicationName}\0`);
      hold([...pairs].filter(isSilenced), 'Both');
    },
    restore: () => {
      isSilenced = () => false;
      // A socket that is piped twice would send each byte twice.
      for (const [socket, other] of stopped) socket.pipe(other);
      stopped.clear();
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      await closed;
    },
  };
}
