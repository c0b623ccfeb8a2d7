/** First bytes of a greeting: the protocol version, or an error packet. */
const firstBytes = new Set([10, 0xff]);
const packetBytesMax = 65_536;
const headerBytes = 4;

/** Returns true if the first chunk of a server can be the first packet of MySQL's protocol. */
export function isMysqlGreeting(first: Buffer): boolean {
  if (first.length <= headerBytes) return first.length < 3 || first.readUIntLE(0, 3) <= packetBytesMax;
  return (
    first.readUIntLE(0, 3) <= packetBytesMax && first[3] === 0 && firstBytes.has(first[headerBytes] ?? 0)
  );
}
