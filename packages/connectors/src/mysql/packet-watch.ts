import { createFramedStream } from '../network/framed-stream.ts';

const headerBytes = 4;
const fullPacket = 0xff_ff_ff;

/**
 * Follows the packets of the MySQL protocol before the driver reads them. Reports a row that exceeds the limit while
 * it arrives. The driver would first collect it in memory: a row beyond 16 MB is split into full packets.
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
