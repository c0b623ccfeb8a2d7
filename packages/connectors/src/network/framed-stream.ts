/**
 * Follows a stream of frames, regardless of the chunk boundaries. Each frame is a header of fixed size and a body
 * whose length the header contains. Bodies are skipped, never collected.
 *
 * @param onHeader called with each header when its last byte has arrived; returns the number of body bytes after it
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
