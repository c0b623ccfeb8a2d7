/**
 * Follows a stream of frames, each a header of fixed size and a body whose length the header tells, however the
 * chunks are cut. Bodies are passed over, never gathered.
 *
 * @param onHeader told of each header when its last byte is there. @returns how many bytes of body follow it.
 */
export function createFramedStream(
  headerBytes: number,
  onHeader: (header: Buffer) => number,
): (chunk: Buffer) => void {
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let bodyLeft = 0;
  return (chunk) => {
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
        bodyLeft = onHeader(header);
      }
    }
  };
}
