import { createFramedStream } from '../../framed-stream.ts';

const headerBytes = 5;
/** The length that a header tells counts its own four bytes. */
const lengthBytes = 4;
const dataRowType = 0x44;

/** What one use of a connection may receive. */
export type FrameLimits = {
  readonly messageBytesMax: number;
  readonly rowBytesMax: number;
  readonly onTooLarge: (what: 'message' | 'rows', bytes: number) => void;
};

export type FrameWatch = {
  readonly see: (chunk: Buffer) => void;
  /** Starts to count anew, for the next use of the connection. */
  readonly begin: (limits: FrameLimits) => void;
  readonly rowBytes: () => number;
};

/**
 * Follows the frames of PostgreSQL's protocol in what the server sends, before the driver sees it, and tells of a
 * message that is larger than allowed when its header arrives: the driver would gather all of it in memory first.
 */
export function createFrameWatch(first: FrameLimits): FrameWatch {
  let limits = first;
  let rowBytes = 0;
  const see = createFramedStream(headerBytes, (header) => {
    const length = header.readUInt32BE(1);
    if (length > limits.messageBytesMax) limits.onTooLarge('message', length);
    if (header[0] === dataRowType) {
      rowBytes += length;
      if (rowBytes > limits.rowBytesMax) limits.onTooLarge('rows', rowBytes);
    }
    return length - lengthBytes;
  });
  return {
    see,
    begin: (next) => {
      limits = next;
      rowBytes = 0;
    },
    rowBytes: () => rowBytes,
  };
}
