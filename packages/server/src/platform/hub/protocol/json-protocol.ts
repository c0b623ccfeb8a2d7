import {
  type ClientMessage,
  clientInvocation,
  type HubProtocol,
  ignoredTypes,
  ProtocolError,
  type ServerMessage,
  wireType,
} from './messages.ts';
import { parseRecord, TextRecords, textRecord } from './text-records.ts';

/** The JSON encoding of the hub protocol. */
export const jsonProtocol: HubProtocol = {
  name: 'json',
  isBinary: false,
  createReader: (messageBytesMax) => {
    const records = new TextRecords(messageBytesMax);
    return (bytes) => {
      const messages: ClientMessage[] = [];
      records.push(bytes);
      for (let record = records.shift(); record; record = records.shift())
        messages.push(clientMessage(parseRecord(record)));
      return messages;
    };
  },
  encode: (message) => textRecord(wireMessage(message)),
};

function clientMessage(message: Record<string, unknown>): ClientMessage {
  const { type } = message;
  if (typeof type !== 'number') throw new ProtocolError('A message has no type.');
  if (type === wireType.ping) return { kind: 'Ping' };
  if (type === wireType.close) return { kind: 'Close' };
  if (type === wireType.invocation || type === wireType.streamInvocation)
    return clientInvocation(message['target'], message['invocationId']);
  // Unknown types may belong to a later version and are ignored.
  if (ignoredTypes.has(type) || Number.isSafeInteger(type)) return { kind: 'Ignored' };
  throw new ProtocolError('The type of a message is not a whole number.');
}

function wireMessage(message: ServerMessage): Record<string, unknown> {
  switch (message.kind) {
    case 'Event':
      return { type: wireType.invocation, target: message.target, arguments: [message.argument] };
    case 'Refusal':
      return { type: wireType.completion, invocationId: message.invocationId, error: message.error };
    case 'Ping':
      return { type: wireType.ping };
    case 'Close':
      return {
        type: wireType.close,
        ...(message.error !== undefined && { error: message.error }),
        ...(message.allowReconnect && { allowReconnect: true }),
      };
  }
}
