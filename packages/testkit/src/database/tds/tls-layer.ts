import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import tls from 'node:tls';
import { messageType, packetsOf } from './packets.ts';

export type ServerIdentity = { readonly key: string; readonly cert: string };

const applicationRecord = 0x17;

/**
 * Starts TLS as the protocol defines it. PRELOGIN messages carry the handshake, one flight each; later records are bare.
 * `feed` receives the client's bytes: the body of a PRELOGIN message, or bare records after the handshake.
 */
export function startServerTls(socket: Socket, identity: ServerIdentity) {
  let isBare = false;
  let flight: Buffer[] = [];
  const send = (): void => {
    if (flight.length === 0) return;
    const body = Buffer.concat(flight);
    flight = [];
    socket.write(isBare ? body : packetsOf(messageType.prelogin, body));
  };
  const inner = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, callback) => {
      flight.push(chunk);
      if (isBare) send();
      else setImmediate(send);
      callback();
    },
  });
  const secured = new tls.TLSSocket(inner, {
    isServer: true,
    secureContext: tls.createSecureContext({ ...identity, maxVersion: 'TLSv1.2' }),
  });
  secured.on('error', () => socket.destroy());
  return {
    secured,
    /** Returns true for bytes of the encrypted connection, which are outside of TDS messages. */
    isBareRecord: (chunk: Buffer): boolean => isBare || chunk[0] === applicationRecord,
    feed: (bytes: Buffer, bare: boolean): void => {
      isBare ||= bare;
      inner.push(bytes);
    },
  };
}
