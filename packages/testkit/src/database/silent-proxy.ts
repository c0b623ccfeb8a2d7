import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/**
 * A TCP proxy that stops forwarding without closing, as a network that drops the packets of a connection: both ends
 * wait, and neither receives an error.
 */
export type SilentProxy = {
  readonly port: number;
  /** Connections that clients opened since the start. */
  readonly openedCount: () => number;
  /**
   * Stops forwarding on all established connections. New connections work.
   *
   * @param what  `Answers` still forwards what clients send. Default `Both`.
   * @returns how many connections went silent.
   */
  readonly silence: (what?: 'Both' | 'Answers') => number;
  /** Stops forwarding on all connections, established and new. */
  readonly silenceAll: () => void;
  /** Forwards again, the bytes that waited first, as TCP does after a lost network returned. */
  readonly restore: () => void;
  readonly stop: () => Promise<void>;
};

/** Opens the proxy on a port of 127.0.0.1, in front of a server. */
export async function openSilentProxy(address: NetConnectOpts, port = 0): Promise<SilentProxy> {
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  let opened = 0;
  let silencesNew = false;

  const hold = (what: 'Both' | 'Answers'): void => {
    for (const { near, far } of pairs)
      for (const socket of what === 'Both' ? [near, far] : [far]) {
        socket.unpipe();
        socket.pause();
      }
  };
  const server = createServer((near) => {
    opened += 1;
    const pair = { near, far: connect(address) };
    const { far } = pair;
    pairs.add(pair);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          pairs.delete(pair);
          other.destroy();
        });
    if (!silencesNew) near.pipe(far).pipe(near);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address();
  if (own === null || typeof own === 'string') throw new Error('The proxy has no port.');
  return {
    port: own.port,
    openedCount: () => opened,
    silence: (what = 'Both') => {
      hold(what);
      return pairs.size;
    },
    silenceAll: () => {
      silencesNew = true;
      hold('Both');
    },
    restore: () => {
      silencesNew = false;
      for (const { near, far } of pairs) near.pipe(far).pipe(near);
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      await closed;
    },
  };
}
