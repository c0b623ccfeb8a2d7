/** Converts a text of the peer for display: one line without control characters, at most `lengthMax` characters. */
export const plainText = (text: string, lengthMax: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed();
