/** UTF-8 bytes of a UTF-16 unit at most. */
const bytesOfUnitMax = 3;
const none: readonly Buffer[] = [];

/** Texts gathered as bytes. */
export type TextPieces = {
  /** Takes a text and gives what is full by then: whole texts, in their order. */
  readonly put: (text: string) => readonly Buffer[];
  /** Gives what is left. */
  readonly end: () => readonly Buffer[];
};

/**
 * Gathers texts as UTF-8 in pieces of about `pieceBytes`; a text that is larger is a piece of its own. Each text
 * becomes bytes at once: of one long text that grows, all parts would live until its end, and a part of young memory
 * that lives makes it grow.
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
