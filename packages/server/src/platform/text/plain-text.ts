/**
 * Invisible characters, and characters that could end a frame of data: `<`, `>`, `&`, control, direction and
 * zero-width characters.
 */
export const hidden = /[<>&\u007f-\u009f\u2028\u2029]|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/** Replaces characters by visible JSON escapes. */
export const asEscapes = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Returns foreign text for use inside a sentence: on one line, without hidden characters and markers. */
export const plainText = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
    .replaceAll(/[\u0000-\u001f]+/g, ' ')
    .replaceAll(hidden, (character) => (character === '&' ? '&' : asEscapes(character)));
