declare global {
  interface JSON {
    /** Creates a value that `JSON.stringify` writes as this text: a number, a string, a boolean or null. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** Form of 64-bit whole numbers and of decimals in JSON: text, or numbers with all their digits. */
export type NumberFormat = 'Text' | 'Number';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Returns the number of a numeric text, with all its digits, for `JSON.stringify`. Returns any other value
 * unchanged.
 */
export const exactNumber = (cell: unknown): unknown =>
  typeof cell === 'string' && jsonNumber.test(cell) ? JSON.rawJSON(cell) : cell;
