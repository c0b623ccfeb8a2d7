/** Words of the other side as people read them: one line without control characters, of so many characters at most. */
export const plainWords = (words: string, lengthMax: number): string =>
  words
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed();
