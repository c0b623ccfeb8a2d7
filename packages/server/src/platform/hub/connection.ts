import type { Caller } from '../access/caller.ts';
import type { HubLimits } from './limits.ts';
import { handshakeAnswer, readHandshake } from './protocol/handshake.ts';
import {
  type ClientMessage,
  type HubProtocol,
  type MessageReader,
  ProtocolError,
  type ServerMessage,
} from './protocol/messages.ts';
import { TextRecords } from './protocol/text-records.ts';

/** Transport of a connection's bytes. */
export type Carrier = {
  /** Sends bytes. @param isBinary True for a binary frame, on transports with frames. */
  readonly send: (bytes: Buffer, isBinary: boolean) => void;
  /** Returns the number of bytes that were passed on and have not left the process. */
  readonly bufferedBytes: () => number;
  /** Closes gracefully: delivers the bytes that were passed on. */
  readonly end: () => void;
  /** Closes immediately. */
  readonly cut: () => void;
  /** Returns false if the server of the connection accepts no new ones: the process is about to stop. */
  readonly isServerOpen: () => boolean;
};

/** Reason for which the hub ended a connection. */
export type EndCause = 'Closing' | 'SessionDue' | 'SessionEnded' | 'Timeout' | 'Protocol' | 'SlowReader';

/** An event, encoded at most once per encoding, regardless of the number of connections. */
export type EncodedMessage = (protocol: HubProtocol) => Buffer;

/** Encodes a message on first use of an encoding. */
export function encodeOnce(message: ServerMessage): EncodedMessage {
  const encoded = new Map<HubProtocol, Buffer>();
  return (protocol) => {
    const encoding = encoded.get(protocol) ?? protocol.encode(message);
    encoded.set(protocol, encoding);
    return encoding;
  };
}

const ping = encodeOnce({ kind: 'Ping' });

/** One client: its handshake, messages and liveness, independent of the transport. */
export class HubConnection {
  readonly id: string;
  readonly caller: Caller;
  /** Time at which the connection closes so that its client authenticates again. Undefined until read. */
  dueAt: Date | undefined;
  /** Time at which the session ends permanently. */
  expiresAt: Date | undefined;
  readonly #limits: HubLimits;
  readonly #carrier: Carrier;
  readonly #onOver: (connection: HubConnection, cause: EndCause | undefined) => void;
  readonly #onReleased: (connection: HubConnection) => void;
  readonly #openedMs: number;
  readonly #handshake: TextRecords;
  #protocol: HubProtocol | undefined;
  #read: MessageReader | undefined;
  #heardMs: number;
  #saidMs: number;
  #isOver = false;

  constructor(options: {
    id: string;
    caller: Caller;
    limits: HubLimits;
    carrier: Carrier;
    /** Called once at the end of the connection. Without a cause, the client ended it. */
    onOver: (connection: HubConnection, cause: EndCause | undefined) => void;
    /** Called when the carrier is closed. */
    onReleased: (connection: HubConnection) => void;
  }) {
    this.id = options.id;
    this.caller = options.caller;
    this.#limits = options.limits;
    this.#carrier = options.carrier;
    this.#onOver = options.onOver;
    this.#onReleased = options.onReleased;
    this.#handshake = new TextRecords(options.limits.messageBytesMax);
    this.#openedMs = performance.now();
    this.#heardMs = this.#openedMs;
    this.#saidMs = this.#openedMs;
  }

  /** True from the handshake until the end. */
  get isReady(): boolean {
    return this.#protocol !== undefined && !this.#isOver;
  }

  /** Processes bytes from the client. */
  receive(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#heardMs = performance.now();
    try {
      const rest = this.#read ? bytes : this.#shakeHands(bytes);
      if (!this.#read || !rest) return;
      for (const message of this.#read(rest)) this.#handle(message);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (!this.#protocol) this.#send(handshakeAnswer(error.message));
      this.close({ cause: 'Protocol', error: error.message });
    }
  }

  /** Notes activity that is no message, such as a poll. */
  noteAlive(): void {
    this.#heardMs = performance.now();
  }

  /** Sends a message. Messages before the handshake are dropped. */
  tell(message: EncodedMessage): void {
    if (this.#protocol && !this.#isOver) this.#send(message(this.#protocol));
  }

  /** Sends the reason and the reconnect permission to the client, and ends the connection. */
  close(end: { cause: EndCause; error?: string; allowReconnect?: boolean }): void {
    if (this.#isOver) return;
    this.tell(
      encodeOnce({
        kind: 'Close',
        allowReconnect: end.allowReconnect ?? false,
        ...(end.error !== undefined && { error: end.error }),
      }),
    );
    this.#finish(end.cause);
    this.#carrier.end();
  }

  /** Ends the connection at the request of the client. */
  leave(): void {
    this.#finish(undefined);
    this.#carrier.end();
  }

  /** Ends the connection after its carrier has closed. */
  gone(): void {
    this.#finish(undefined);
    this.#onReleased(this);
  }

  /** Sends pings, and closes the connection after a client timeout. */
  checkTime(nowMs: number): void {
    if (this.#isOver) return;
    if (!this.#protocol) {
      if (nowMs - this.#openedMs >= this.#limits.handshakeTimeoutMs) {
        this.#send(handshakeAnswer('The handshake did not come in time.'));
        this.close({ cause: 'Timeout' });
      }
    } else if (nowMs - this.#heardMs >= this.#limits.clientTimeoutMs) {
      this.close({ cause: 'Timeout', error: 'Nothing was heard of the client.', allowReconnect: true });
    } else if (nowMs - this.#saidMs >= this.#limits.pingIntervalMs) this.tell(ping);
  }

  isServerOpen(): boolean {
    return this.#carrier.isServerOpen();
  }

  #finish(cause: EndCause | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver(this, cause);
  }

  /** @returns the bytes after the handshake; undefined while it is incomplete. */
  #shakeHands(bytes: Buffer): Buffer | undefined {
    this.#handshake.push(bytes);
    const record = this.#handshake.shift();
    if (!record) return undefined;
    const protocol = readHandshake(record);
    this.#send(handshakeAnswer(), protocol.isBinary);
    this.#protocol = protocol;
    this.#read = protocol.createReader(this.#limits.messageBytesMax);
    return this.#handshake.rest();
  }

  #handle(message: ClientMessage): void {
    if (message.kind === 'Close') this.leave();
    else if (message.kind === 'Invocation' && message.invocationId !== undefined) {
      const { invocationId } = message;
      this.tell(encodeOnce({ kind: 'Refusal', invocationId, error: 'This hub offers no methods.' }));
    }
  }

  #send(bytes: Buffer, isBinary = this.#protocol?.isBinary ?? false): void {
    if (this.#isOver) return;
    this.#saidMs = performance.now();
    if (this.#carrier.bufferedBytes() + bytes.length > this.#limits.bufferedBytesMax) {
      this.#finish('SlowReader');
      this.#carrier.cut();
      return;
    }
    this.#carrier.send(bytes, isBinary);
  }
}
