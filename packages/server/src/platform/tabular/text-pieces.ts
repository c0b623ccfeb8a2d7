/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const bytesOfUnitMax = 3;
const none: readonly Buffer[] = [];

/** Buffer of texts as UTF-8 bytes. */
export type TextPieces = {
  /** Adds a text. Returns the full pieces so far: complete texts, in order. */
  readonly put: (text: string) => readonly Buffer[];
  /** Returns the remaining piece. */
  readonly end: () => readonly Buffer[];
};

/**
 * Collects texts as UTF-8 in pieces of about `pieceBytes`. A larger text is a separate piece. Each text is encoded
 * immediately: the parts of one growing string would all live until its end, and enlarge the young generation.
 */
export function createTextPieces(pieceBytes: number): TextPieces {
  let piece = Buffer.allocUnsafeSlow(pieceBytes);
  let used = 0;

  const end = (): readonly Buffer[] => {
    if (used === 0) return none;
    const full = piece.subarray(0, used);
    piece = Buffer.allocUnsafeSlow(pieceBytes);
    used = 0;
    return [full];
  };

  return {
    put: (text) => {
      const bytesMax = text.length * bytesOfUnitMax;
      if (bytesMax <= pieceBytes - used) {
        used += piece.write(text, used);
        return none;
      }
      const full = end();
      if (bytesMax > pieceBytes) return [...full, Buffer.from(text, 'utf8')];
      used = piece.write(text, 0);
      return full;
    },
    end,
  };
}
