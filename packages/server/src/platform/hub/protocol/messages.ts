/** A message from a client. The hub has no methods: invocations are always refused. */
export type ClientMessage =
  | { readonly kind: 'Invocation'; readonly invocationId: string | undefined; readonly target: string }
  | { readonly kind: 'Ping' }
  | { readonly kind: 'Close' }
  /** A valid message without relevance for this hub. */
  | { readonly kind: 'Ignored' };

/** A message from the hub. */
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

/** A protocol violation by a client. The text is shown to the client. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Processes the bytes of a connection in pieces of any size, and returns the complete messages. */
export type MessageReader = (bytes: Buffer) => readonly ClientMessage[];

/** An encoding of the hub protocol. */
export type HubProtocol = {
  readonly name: 'json' | 'messagepack';
  /** True if its frames are binary. */
  readonly isBinary: boolean;
  /** @param messageBytesMax A longer message causes a `ProtocolError`. */
  readonly createReader: (messageBytesMax: number) => MessageReader;
  readonly encode: (message: ServerMessage) => Buffer;
};

/** Checks the part of an invocation that both encodings share. */
export function clientInvocation(target: unknown, invocationId: unknown): ClientMessage {
  if (typeof target !== 'string') throw new ProtocolError('An invocation names no target.');
  if (invocationId !== undefined && invocationId !== null && typeof invocationId !== 'string')
    throw new ProtocolError('The id of an invocation is not text.');
  return { kind: 'Invocation', target, invocationId: invocationId ?? undefined };
}
