/**
 * What a terminal takes for an order, or reads in another direction than it is written: control characters of both
 * ranges, and the marks of bidirectional text.
 */
const orders = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text on one line in which orders are shown as JSON writes them. */
export const plainLine = (text: string): string =>
  text.replace(orders, (character) => short[character] ?? escaped(character));

/** Text with its line breaks and tabs, in which all other orders are shown as JSON writes them. */
export const plainText = (text: string): string =>
  text.replace(orders, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );

/** True for text that holds an order. */
export const hasOrders = (text: string): boolean => text.search(orders) >= 0;
