const headerBytes = 4;
const fullPacket = 0xff_ff_ff;

/**
 * Follows the packets of the MySQL protocol before the driver sees them, and tells of a row that is larger than
 * allowed as it arrives (a row beyond 16 MB is cut into full packets, which the driver would gather in memory).
 */
export function createPacketWatch(options: {
  readonly rowBytesMax: number;
  readonly allBytesMax: number;
  readonly onTooLarge: (what: 'row' | 'all') => void;
}): { readonly see: (chunk: Buffer) => void; readonly allBytes: () => number } {
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let bodyLeft = 0;
  let rowBytes = 0;
  let allBytes = 0;

  function onHeader(): void {
    const length = header.readUIntLE(0, 3);
    bodyLeft = length;
    rowBytes += length;
    allBytes += length;
    if (rowBytes > options.rowBytesMax) options.onTooLarge('row');
    if (allBytes > options.allBytesMax) options.onTooLarge('all');
    if (length !== fullPacket) rowBytes = 0;
  }

  function see(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const step = Math.min(bodyLeft, chunk.length - at);
        bodyLeft -= step;
        at += step;
      } else {
        header[headerFilled++] = chunk[at++] ?? 0;
        if (headerFilled < headerBytes) continue;
        headerFilled = 0;
        onHeader();
      }
    }
  }

  return { see, allBytes: () => allBytes };
}
