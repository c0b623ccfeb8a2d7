import type { Caller } from '../access/caller.ts';
import { handshakeAnswer, readHandshake } from './handshake.ts';
import type { HubLimits } from './limits.ts';
import {
  type ClientMessage,
  type HubProtocol,
  type MessageReader,
  ProtocolError,
  type ServerMessage,
} from './messages.ts';
import { TextRecords } from './text-records.ts';

/** What carries the bytes of a connection. */
export type Carrier = {
  /** Hands bytes over. @param isBinary whether they are a binary frame, where there are frames. */
  readonly send: (bytes: Buffer, isBinary: boolean) => void;
  /** Bytes that were handed over and have not left the process. */
  readonly bufferedBytes: () => number;
  /** Ends it in good order: what was handed over is still delivered. */
  readonly end: () => void;
  /** Ends it at once. */
  readonly cut: () => void;
  /** False when the server that the connection came through takes no new ones: the process is about to stop. */
  readonly isServerOpen: () => boolean;
};

/** Why a connection was ended by the hub. */
export type EndCause = 'Closing' | 'SessionDue' | 'SessionEnded' | 'Timeout' | 'Protocol' | 'SlowReader';

/** An event, encoded at most once for each encoding however many connections hear it. */
export type EncodedMessage = (protocol: HubProtocol) => Buffer;

/** Encodes a message when the first connection of an encoding asks for it. */
export function encodeOnce(message: ServerMessage): EncodedMessage {
  const encoded = new Map<HubProtocol, Buffer>();
  return (protocol) => {
    const known = encoded.get(protocol) ?? protocol.encode(message);
    encoded.set(protocol, known);
    return known;
  };
}

const ping = encodeOnce({ kind: 'Ping' });

/** One client: its handshake, its messages and its signs of life, whatever carries them. */
export class HubConnection {
  readonly id: string;
  readonly caller: Caller;
  /** When it must be closed so that its client authenticates anew; set once that is known. */
  dueAt: Date | undefined;
  /** When its session is over for good. */
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
    /** Called once, when nothing is said any more; without a cause the client ended it. */
    onOver: (connection: HubConnection, cause: EndCause | undefined) => void;
    /** Called when its carrier is closed. */
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

  /** Takes bytes of the client. */
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

  /** Notes a sign of life that is no message, such as a poll. */
  noteAlive(): void {
    this.#heardMs = performance.now();
  }

  /** Sends a message, once hands have been shaken; earlier ones are dropped. */
  tell(message: EncodedMessage): void {
    if (this.#protocol && !this.#isOver) this.#send(message(this.#protocol));
  }

  /** Tells the client why and whether to come back, and ends. */
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

  /** The client says that it leaves. */
  leave(): void {
    this.#finish(undefined);
    this.#carrier.end();
  }

  /** The carrier is closed. */
  gone(): void {
    this.#finish(undefined);
    this.#onReleased(this);
  }

  /** Pings, and closes what has been silent for too long. */
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
