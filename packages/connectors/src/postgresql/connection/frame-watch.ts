import { createFramedStream } from '../../network/framed-stream.ts';

const headerBytes = 5;
/** The length in a header includes its own four bytes. */
const lengthBytes = 4;
const dataRowType = 0x44;

/** Limits for one use of a connection. */
export type FrameLimits = {
  readonly messageBytesMax: number;
  readonly rowBytesMax: number;
  readonly onTooLarge: (what: 'message' | 'rows', bytes: number) => void;
};

export type FrameWatch = {
  readonly see: (chunk: Buffer) => void;
  /** Restarts the count for the next use of the connection. */
  readonly begin: (limits: FrameLimits) => void;
  readonly rowBytes: () => number;
};

/**
 * Follows the frames of PostgreSQL's protocol before the driver reads them. Reports a message that exceeds the limit
 * when its header arrives: the driver would first collect the whole message in memory.
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
