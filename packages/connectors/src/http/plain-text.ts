/** Converts a text of the peer for display: one line without control characters, at most `lengthMax` characters. */
export const plainText = (words: string, lengthMax: number): string =>
  words
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed();
