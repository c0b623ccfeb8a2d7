import { createServer, type Server, type Socket } from 'node:net';
import { converse, type Note, type Wire } from './conversation.ts';
import { createMessageReader, type Message, messageType, packetsOf } from './packets.ts';
import { encryption, preloginAnswer, readPrelogin } from './requests.ts';
import { openShop } from './shop.ts';
import { type ServerIdentity, startServerTls } from './tls-layer.ts';

/** Event at the server, for inspection by the tests. */
export type TdsEvent = Parameters<Note>[0] & {
  /** Number of the connection, from 1. */
  readonly connection: number;
};

export type TdsServerOptions = {
  readonly shopFile: string;
  /** If present, all connections must be encrypted. */
  readonly identity?: ServerIdentity;
  readonly onEvent: (event: TdsEvent) => void;
};

/** Creates a server for the part of TDS 7.4 that clients use. It closes connections that violate the protocol. */
export function createTdsServer(options: TdsServerOptions): Server {
  let connections = 0;
  return createServer((socket) => {
    const connection = ++connections;
    socket.on('error', () => undefined);
    serve(socket, options, (event) => options.onEvent({ connection, ...event }));
  });
}

function serve(socket: Socket, { shopFile, identity }: TdsServerOptions, onEvent: Note): void {
  const read = createMessageReader();
  let layer: ReturnType<typeof startServerTls> | undefined;
  let wire: Wire = { write: (bytes) => socket.write(bytes), end: () => socket.end() };
  const conversation = converse(
    { write: (bytes) => wire.write(bytes), end: () => wire.end() },
    { shop: openShop(shopFile), onEvent },
  );
  const receive = (message: Message) => {
    if (message.type !== messageType.prelogin) return conversation.receive(message);
    if (layer) return layer.feed(message.body, false);
    const wish = readPrelogin(message.body);
    const answer = identity ? encryption.required : encryption.notSupported;
    const granted = identity && wish === encryption.on ? encryption.on : answer;
    socket.write(packetsOf(messageType.answer, preloginAnswer(granted)));
    onEvent({ kind: 'prelogin', text: String(wish) });
    if (!identity) return;
    const tls = startServerTls(socket, identity);
    layer = tls;
    wire = { write: (bytes) => tls.secured.write(bytes), end: () => tls.secured.end() };
    const readSecured = createMessageReader();
    tls.secured.on('data', (chunk: Buffer) => {
      guarded(() => {
        for (const message of readSecured(chunk)) conversation.receive(message);
      });
    });
  };
  /** Reports a violation of the protocol as an event and closes the connection. */
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onEvent({ kind: 'violation', text: String(error) });
      socket.destroy();
    }
  };
  socket.on('data', (chunk: Buffer) => {
    if (layer?.isBareRecord(chunk)) layer.feed(chunk, true);
    else
      guarded(() => {
        for (const message of read(chunk)) receive(message);
      });
  });
  socket.on('close', () => {
    conversation.close();
    onEvent({ kind: 'closed' });
  });
}
