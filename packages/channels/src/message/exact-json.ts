declare global {
  interface JSON {
    /** Creates a value that `JSON.stringify` writes as this text. Accepts only numbers, strings, booleans and null. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** JSON form of 64-bit integers and of decimals: `Text`, or `Number` with all their digits. */
export type NumberFormat = 'Text' | 'Number';

/** Kinds of columns whose cells are not plain JSON values. */
export type CellKind = 'json' | 'exactNumber' | 'plain';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Returns a text of a number as a number with all its digits, for `JSON.stringify`. Returns any other value unchanged.
 */
export const exactNumber = (cell: unknown): unknown =>
  typeof cell === 'string' && jsonNumber.test(cell) ? JSON.rawJSON(cell) : cell;

/** Returns the source text of a number. The engine passes it to a reviver in addition to the value. */
function sourceOf([context]: readonly unknown[]): string {
  if (typeof context === 'object' && context !== null && 'source' in context) return String(context.source);
  throw new Error('A reviver got no text of a number.');
}

/** A string of a JSON text, and the colon after the name of a member. */
const stringOrName = /"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*(:?)/g;

function countNames(json: string): number {
  let count = 0;
  for (const [, colon] of json.matchAll(stringOrName)) if (colon === ':') count += 1;
  return count;
}

/**
 * Parses a JSON text for `JSON.stringify` so that numbers keep all their digits. Returns the text itself if it is not
 * JSON, is nested too deeply, or has an object with two members of the same name: a parsed object has only one of them.
 */
export function exactJson(text: string): unknown {
  try {
    let members = 0;
    const parsed: unknown = JSON.parse(text, function (this: unknown, _key, value: unknown, ...context) {
      if (!Array.isArray(this)) members += 1;
      return typeof value === 'number' ? JSON.rawJSON(sourceOf(context)) : value;
    });
    // The reviver also receives the document, as the only member of an object.
    return members - 1 === countNames(text) ? parsed : text;
  } catch {
    return text;
  }
}
