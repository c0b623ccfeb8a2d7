import { createFramedStream } from '../framed-stream.ts';

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
  let rowBytes = 0;
  let allBytes = 0;
  const see = createFramedStream(headerBytes, (header) => {
    const length = header.readUIntLE(0, 3);
    rowBytes += length;
    allBytes += length;
    if (rowBytes > options.rowBytesMax) options.onTooLarge('row');
    if (allBytes > options.allBytesMax) options.onTooLarge('all');
    if (length !== fullPacket) rowBytes = 0;
    return length;
  });
  return { see, allBytes: () => allBytes };
}
