/**
 * Returns the length of a text in a request: bytes after JSON escaping. For plain English, it equals the number of
 * characters.
 */
export const sentLength = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
