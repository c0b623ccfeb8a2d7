import { jsonProtocol } from './json-protocol.ts';
import { messagePackProtocol } from './messagepack-protocol.ts';
import { type HubProtocol, ProtocolError } from './messages.ts';
import { parseRecord, textRecord } from './text-records.ts';

const protocols: readonly HubProtocol[] = [jsonProtocol, messagePackProtocol];
/** Version 2 adds stateful reconnect. The server refuses it by not replying to it; the messages are the same. */
const versionMax = 2;

/**
 * Reads the first record of a connection: the requested encoding.
 *
 * @throws ProtocolError with a text for the client.
 */
export function readHandshake(record: Buffer): HubProtocol {
  const { protocol: name, version } = parseRecord(record);
  const protocol = protocols.find((candidate) => candidate.name === name);
  if (!protocol) throw new ProtocolError('The protocol is not supported. Use json or messagepack.');
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > versionMax)
    throw new ProtocolError(`The version of the protocol is not supported. Use 1 to ${versionMax}.`);
  return protocol;
}

/** Returns the response to a handshake, always in JSON. With `error`, the handshake failed. */
export const handshakeAnswer = (error?: string): Buffer => textRecord(error === undefined ? {} : { error });
