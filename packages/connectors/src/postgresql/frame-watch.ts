const headerBytes = 5;
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
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let bodyLeft = 0;
  let rowBytes = 0;

  function onHeader(): void {
    const length = header.readUInt32BE(1);
    bodyLeft = length - 4;
    if (length > options.messageBytesMax) options.onTooLarge('message', length);
    if (header[0] !== dataRowType) return;
    rowBytes += length;
    if (rowBytes > options.rowBytesMax) options.onTooLarge('rows', rowBytes);
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

  return { see, rowBytes: () => rowBytes };
}
