/** A column of a file: its heading, and whether its values are free text. */
export type TabularColumn = { readonly name: string; readonly isText: boolean };

/** Some rows, column by column. */
export type TabularBatch = {
  readonly rowCount: number;
  readonly columns: readonly (readonly (string | number | boolean | null)[])[];
};

/** First characters that a spreadsheet takes for the start of a formula, their full-width twins included. */
const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * Free text as a cell of a file that a spreadsheet may open: what would start a formula is led by an apostrophe.
 * Numbers and times are not free text: "-12.5" of a numeric column stays as it is.
 */
export const guardFormula = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);
