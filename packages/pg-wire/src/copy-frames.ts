/** Size of the code and the length field of a frame. */
const headBytes = 5;
/** Size of the length field. The length includes these four bytes, but not the code. */
const lengthBytes = 4;
const rowCode = 'd'.charCodeAt(0);

export type CopyFramesOptions = {
  /** Receives bytes of row frames, which may be cut anywhere, and the number of frames that begin in these bytes. */
  readonly onRows: (bytes: Buffer, begun: number) => void;
  /** Receives the bytes of all other frames. */
  readonly onOther: (bytes: Buffer) => void;
  readonly frameBytesMax: number;
  readonly onTooLarge: (bytes: number) => void;
};

/**
 * Returns a function that separates the rows of a `COPY` from other messages of the server. It neither assembles frames
 * nor copies bytes.
 */
export function createCopyFrames(options: CopyFramesOptions): (chunk: Buffer) => void {
  const { onRows, onOther, frameBytesMax, onTooLarge } = options;
  const cutHead = Buffer.alloc(headBytes);
  let headFilled = 0;
  let bodyLeft = 0;
  let isRow = false;

  function beginBody(length: number): void {
    if (isRow && length > frameBytesMax) onTooLarge(length);
    bodyLeft = length - lengthBytes;
  }

  /** Reads the available bytes of a frame head; returns the next offset. */
  function takeHead(chunk: Buffer, at: number): number {
    if (headFilled === 0 && chunk.length - at >= headBytes) {
      beginBody(chunk.readUInt32BE(at + 1));
      return at + headBytes;
    }
    cutHead[headFilled++] = chunk[at] ?? 0;
    if (headFilled === headBytes) {
      headFilled = 0;
      beginBody(cutHead.readUInt32BE(1));
    }
    return at + 1;
  }

  return (chunk) => {
    let at = 0;
    let from = 0;
    let begun = 0;
    const passOn = () => {
      if (at === from) return;
      const bytes = from === 0 && at === chunk.length ? chunk : chunk.subarray(from, at);
      if (isRow) onRows(bytes, begun);
      else onOther(bytes);
      from = at;
      begun = 0;
    };
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const step = Math.min(bodyLeft, chunk.length - at);
        bodyLeft -= step;
        at += step;
        continue;
      }
      if (headFilled === 0) {
        const isNextRow = chunk[at] === rowCode;
        if (isNextRow !== isRow) passOn();
        isRow = isNextRow;
        if (isRow) begun += 1;
      }
      at = takeHead(chunk, at);
    }
    passOn();
  };
}
