/** Message types (TDS 7.4, 2.2.3.1.1). */
export const messageType = {
  batch: 0x01,
  rpc: 0x03,
  answer: 0x04,
  attention: 0x06,
  login: 0x10,
  prelogin: 0x12,
};

const headerBytes = 8;
const statusEnd = 0x01;
const statusIgnore = 0x02;
export const packetBytes = 4_096;

export type Message = { readonly type: number; readonly body: Buffer; readonly isIgnored: boolean };

/** Returns a function that assembles packets into messages. It throws for a packet shorter than its header. */
export function createMessageReader(): (chunk: Buffer) => Message[] {
  let waiting = Buffer.alloc(0);
  let parts: Buffer[] = [];
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    const messages: Message[] = [];
    while (waiting.length >= headerBytes) {
      const length = waiting.readUInt16BE(2);
      if (length < headerBytes) throw new Error(`A packet of ${length} bytes.`);
      if (waiting.length < length) break;
      const [type = 0, status = 0] = waiting;
      parts.push(waiting.subarray(headerBytes, length));
      waiting = waiting.subarray(length);
      if ((status & statusEnd) === 0) continue;
      messages.push({ type, body: Buffer.concat(parts), isIgnored: (status & statusIgnore) !== 0 });
      parts = [];
    }
    return messages;
  };
}

/** Splits a part of a message into packets. With `isEnd`, the last packet ends the message. */
export function packetsOf(type: number, body: Buffer, isEnd = true): Buffer {
  const packets: Buffer[] = [];
  let at = 0;
  do {
    const piece = body.subarray(at, at + packetBytes - headerBytes);
    at += piece.length;
    const header = Buffer.alloc(headerBytes);
    header[0] = type;
    header[1] = isEnd && at >= body.length ? statusEnd : 0;
    header.writeUInt16BE(piece.length + headerBytes, 2);
    header[6] = (packets.length + 1) & 0xff;
    packets.push(header, piece);
  } while (at < body.length);
  return Buffer.concat(packets);
}
