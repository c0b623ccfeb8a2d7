/** Code and length of a frame. */
const headBytes = 5;
/** The length counts its own four bytes, but not the code. */
const lengthBytes = 4;
const rowCode = 'd'.charCodeAt(0);

export type CopyFramesOptions = {
  /** Frames with rows, however they are cut, and how many of them begin in these bytes. */
  readonly onRows: (bytes: Buffer, begun: number) => void;
  /** All that is no row. */
  readonly onOther: (bytes: Buffer) => void;
  readonly frameBytesMax: number;
  readonly onTooLarge: (bytes: number) => void;
};

/** Tells rows from the rest of what a server sends in a `COPY`. No frame is gathered, and no byte is copied. */
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

  /** Takes what there is of a head. */
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
