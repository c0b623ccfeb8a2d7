/** Largest number of UTF-8 bytes of one UTF-16 unit. */
const bytesPerUnitMax = 3;
const bytesAtFirst = 512 * 1024;
const rowsAtFirst = 1_024;

/**
 * Buffer of row texts as consecutive bytes, in reused memory. Waiting as strings, the rows would survive collections
 * of young memory, which would then grow.
 */
export type RowBytes = {
  readonly add: (text: string) => void;
  readonly rows: () => number;
  /** Bytes of all rows. */
  readonly size: () => number;
  /** Returns the bytes of rows, from the first to before the second. They are valid until `clear`. */
  readonly part: (from: number, to: number) => Buffer;
  readonly clear: () => void;
};

export function createRowBytes(): RowBytes {
  let bytes = Buffer.allocUnsafeSlow(bytesAtFirst);
  let ends = new Float64Array(rowsAtFirst);
  let rows = 0;
  let size = 0;

  function makeRoom(text: string): void {
    const needed = size + text.length * bytesPerUnitMax;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2));
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    if (rows < ends.length) return;
    const longer = new Float64Array(ends.length * 2);
    longer.set(ends);
    ends = longer;
  }

  const start = (row: number): number => (row === 0 ? 0 : (ends[row - 1] ?? size));

  return {
    add: (text) => {
      if (size + text.length * bytesPerUnitMax > bytes.length || rows >= ends.length) makeRoom(text);
      size += bytes.write(text, size);
      ends[rows] = size;
      rows += 1;
    },
    rows: () => rows,
    size: () => size,
    part: (from, to) => bytes.subarray(start(from), start(to)),
    clear: () => {
      rows = 0;
      size = 0;
    },
  };
}
