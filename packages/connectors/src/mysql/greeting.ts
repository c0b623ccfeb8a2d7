/** The version of the protocol, and an error in its place. */
const firstBytes = new Set([10, 0xff]);
const packetBytesMax = 65_536;
const headerBytes = 4;

/** Whether what a server said first is the first packet of MySQL's protocol. */
export function isMysqlGreeting(first: Buffer): boolean {
  if (first.length <= headerBytes) return first.length < 3 || first.readUIntLE(0, 3) <= packetBytesMax;
  return (
    first.readUIntLE(0, 3) <= packetBytesMax && first[3] === 0 && firstBytes.has(first[headerBytes] ?? 0)
  );
}
