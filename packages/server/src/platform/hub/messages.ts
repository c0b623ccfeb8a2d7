/** What a client may say. Nothing that it can invoke exists: invocations are only there to be refused. */
export type ClientMessage =
  | { readonly kind: 'Invocation'; readonly invocationId: string | undefined; readonly target: string }
  | { readonly kind: 'Ping' }
  | { readonly kind: 'Close' }
  /** Known to the protocol and of no concern here. */
  | { readonly kind: 'Ignored' };

/** What the hub says. */
export type ServerMessage =
  | { readonly kind: 'Event'; readonly target: string; readonly argument: unknown }
  | { readonly kind: 'Refusal'; readonly invocationId: string; readonly error: string }
  | { readonly kind: 'Ping' }
  | { readonly kind: 'Close'; readonly error?: string; readonly allowReconnect: boolean };

/** Numbers of the message types on the wire. */
export const wireType = {
  invocation: 1,
  streamItem: 2,
  completion: 3,
  streamInvocation: 4,
  cancelInvocation: 5,
  ping: 6,
  close: 7,
  ack: 8,
  sequence: 9,
} as const;

/** Types without a meaning for a hub that offers no methods and no stateful reconnect. */
export const ignoredTypes: ReadonlySet<number> = new Set([
  wireType.streamItem,
  wireType.completion,
  wireType.cancelInvocation,
  wireType.ack,
  wireType.sequence,
]);

/** What a client sent is not the protocol. The text is shown to the client. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Takes the bytes of a connection in whatever pieces they come and gives the messages that are complete. */
export type MessageReader = (bytes: Buffer) => readonly ClientMessage[];

/** One of the encodings of the hub protocol. */
export type HubProtocol = {
  readonly name: 'json' | 'messagepack';
  /** Whether its frames are binary. */
  readonly isBinary: boolean;
  /** @param messageBytesMax a longer message is a `ProtocolError`. */
  readonly createReader: (messageBytesMax: number) => MessageReader;
  readonly encode: (message: ServerMessage) => Buffer;
};

/** Checks what both encodings have in common of an invocation. */
export function clientInvocation(target: unknown, invocationId: unknown): ClientMessage {
  if (typeof target !== 'string') throw new ProtocolError('An invocation names no target.');
  if (invocationId !== undefined && invocationId !== null && typeof invocationId !== 'string')
    throw new ProtocolError('The id of an invocation is not text.');
  return { kind: 'Invocation', target, invocationId: invocationId ?? undefined };
}
