declare global {
  interface JSON {
    /** Creates a value that `JSON.stringify` writes as this text. Only texts of numbers, strings, booleans and null. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** Form of whole numbers of 64 bits and of decimals in JSON: `Text`, or `Number` with all their digits. */
export type NumberFormat = 'Text' | 'Number';

/** Kinds of columns whose cells are not plain JSON values. */
export type CellKind = 'json' | 'exactNumber' | 'plain';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns the number that a text is, with all its digits, for `JSON.stringify`; any other value as it is. */
export const exactNumber = (cell: unknown): unknown =>
  typeof cell === 'string' && jsonNumber.test(cell) ? JSON.rawJSON(cell) : cell;

/** The text of a number, which the engine hands to a reviver beside the value. */
function sourceOf([context]: readonly unknown[]): string {
  if (typeof context === 'object' && context !== null && 'source' in context) return String(context.source);
  throw new Error('A reviver got no text of a number.');
}

/**
 * Returns the value of a JSON text for `JSON.stringify`, whose numbers keep all their digits. A text that is no JSON, or is
 * too deep, stays a text.
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
