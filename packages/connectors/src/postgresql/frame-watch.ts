import { createFramedStream } from '../framed-stream.ts';

const headerBytes = 5;
/** The length that a header tells counts its own four bytes. */
const lengthBytes = 4;
const dataRowType = 0x44;

/**
 * Follows the frames of PostgreSQL's protocol in what the server sends, before the driver sees it, and tells of a
 * message that is larger than allowed when its header arrives: the driver would gather all of it in memory first.
 */
export function createFrameWatch(options: {
  readonly messageBytesMax: number;
  readonly rowBytesMax: number;
  readonly onTooLarge: (what: 'message' | 'rows', bytes: number) => void;
}): { readonly see: (chunk: Buffer) => void; readonly rowBytes: () => number } {
  let rowBytes = 0;
  const see = createFramedStream(headerBytes, (header) => {
    const length = header.readUInt32BE(1);
    if (length > options.messageBytesMax) options.onTooLarge('message', length);
    if (header[0] === dataRowType) {
      rowBytes += length;
      if (rowBytes > options.rowBytesMax) options.onTooLarge('rows', rowBytes);
    }
    return length - lengthBytes;
  });
  return { see, rowBytes: () => rowBytes };
}
