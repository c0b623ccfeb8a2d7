/**
 * Characters that a terminal executes or that change the reading direction: control characters of both ranges, and the
 * marks of bidirectional text.
 */
const orders = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns the text on one line, with these characters as JSON escapes. */
export const plainLine = (text: string): string =>
  text.replace(orders, (character) => short[character] ?? escaped(character));

/** Returns the text with its line breaks and tabs, and with all other such characters as JSON escapes. */
export const plainText = (text: string): string =>
  text.replace(orders, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );

/** Returns true for text that contains such a character. */
export const hasOrders = (text: string): boolean => text.search(orders) >= 0;
