declare global {
  interface JSON {
    /** Creates a value that `JSON.stringify` writes as this text, which is a number, a string, a boolean or null. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** Form of whole numbers of 64 bits and of decimals in JSON: text, or numbers with all their digits. */
export type NumberFormat = 'Text' | 'Number';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns the number that a text is, with all its digits, for `JSON.stringify`. Any other value stays as it is. */
export const exactNumber = (cell: unknown): unknown =>
  typeof cell === 'string' && jsonNumber.test(cell) ? JSON.rawJSON(cell) : cell;
