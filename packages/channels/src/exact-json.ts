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

/**
 * Parses a JSON text for `JSON.stringify` so that numbers keep all their digits. Returns the text itself if it is not
 * JSON or is nested too deeply.
 */
export function exactJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, ...context: unknown[]) =>
      typeof value === 'number' ? JSON.rawJSON(sourceOf(context)) : value,
    );
  } catch {
    return text;
  }
}
