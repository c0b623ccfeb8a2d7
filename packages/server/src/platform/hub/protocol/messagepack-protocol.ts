import { Decoder, Encoder } from '@msgpack/msgpack';
import {
  type ClientMessage,
  clientInvocation,
  type HubProtocol,
  ignoredTypes,
  ProtocolError,
  type ServerMessage,
  wireType,
} from './messages.ts';

/** Maximum number of bytes in a length prefix: seven bits each, 2 GB in five. */
const prefixBytesMax = 5;
const continuationBit = 0x80;
const valueBits = 0x7f;
const bitsPerByte = 7;

/** The MessagePack encoding of the hub protocol: each message is an array, preceded by its length. */
export const messagePackProtocol: HubProtocol = {
  name: 'messagepack',
  isBinary: true,
  createReader: (messageBytesMax) => {
    const decoder = createDecoder(messageBytesMax);
    let pending = Buffer.alloc(0);
    return (bytes) => {
      const messages: ClientMessage[] = [];
      pending = pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([pending, bytes]);
      for (;;) {
        const prefix = readPrefix(pending);
        if (!prefix) return messages;
        if (prefix.length > messageBytesMax)
          throw new ProtocolError('A message is longer than this service takes.');
        const end = prefix.bytes + prefix.length;
        if (pending.length < end) return messages;
        messages.push(clientMessage(decode(decoder, pending.subarray(prefix.bytes, end))));
        pending = pending.subarray(end);
      }
    };
  },
  encode: (message) => {
    const body = new Encoder().encode(wireMessage(message));
    return Buffer.concat([prefixOf(body.length), body]);
  },
};

/**
 * Maximum number of list members. The decoder allocates a list as soon as it reads the length. A few bytes that
 * announce nested long lists would otherwise take gigabytes. No supported message has more members.
 */
const membersMax = 64;

const createDecoder = (messageBytesMax: number): Decoder =>
  new Decoder({
    maxStrLength: messageBytesMax,
    maxBinLength: messageBytesMax,
    maxArrayLength: membersMax,
    maxMapLength: membersMax,
    maxExtLength: messageBytesMax,
  });

function decode(decoder: Decoder, bytes: Buffer): unknown {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ProtocolError('A message is not valid MessagePack.');
  }
}

/** Reads the length prefix of a message. Undefined while it is incomplete. */
function readPrefix(bytes: Buffer): { bytes: number; length: number } | undefined {
  let length = 0;
  for (let index = 0; index < prefixBytesMax; index += 1) {
    const byte = bytes[index];
    if (byte === undefined) return undefined;
    length += (byte & valueBits) * 2 ** (bitsPerByte * index);
    if ((byte & continuationBit) === 0) return { bytes: index + 1, length };
  }
  throw new ProtocolError('The length of a message is not readable.');
}

function prefixOf(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  do {
    const more = rest > valueBits;
    bytes.push((rest & valueBits) | (more ? continuationBit : 0));
    rest >>>= bitsPerByte;
  } while (rest > 0);
  return Buffer.from(bytes);
}

function clientMessage(message: unknown): ClientMessage {
  if (!Array.isArray(message)) throw new ProtocolError('A message is not an array.');
  const [type, , invocationId, target] = message as readonly unknown[];
  if (type === wireType.ping) return { kind: 'Ping' };
  if (type === wireType.close) return { kind: 'Close' };
  if (type === wireType.invocation || type === wireType.streamInvocation)
    return clientInvocation(target, invocationId);
  if (typeof type === 'number' && (ignoredTypes.has(type) || Number.isSafeInteger(type)))
    return { kind: 'Ignored' };
  throw new ProtocolError('A message has no type.');
}

const errorResult = 1;

function wireMessage(message: ServerMessage): readonly unknown[] {
  switch (message.kind) {
    case 'Event':
      return [wireType.invocation, {}, null, message.target, [message.argument], []];
    case 'Refusal':
      return [wireType.completion, {}, message.invocationId, errorResult, message.error];
    case 'Ping':
      return [wireType.ping];
    case 'Close':
      return [wireType.close, message.error ?? null, message.allowReconnect];
  }
}
