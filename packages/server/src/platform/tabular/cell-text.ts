/** A column of a file: its heading, whether its values are free text, and whether they are points in time. */
export type TabularColumn = {
  readonly name: string;
  readonly isText: boolean;
  /** Values are ISO 8601 text of this kind: a spreadsheet gets them as what they are. */
  readonly time?: TimeKind;
  /** Values are whole numbers or decimals: texts of them are numbers, with the scale of the column. */
  readonly isNumeric?: boolean;
};

/** Kinds of time: a day, a time of day, a point in time without a zone, and one in UTC. */
export type TimeKind = 'Date' | 'Time' | 'Timestamp' | 'UtcTimestamp';

/** Some rows, column by column. */
export type TabularBatch = {
  readonly rowCount: number;
  readonly columns: readonly (readonly (string | number | boolean | null)[])[];
};

/** First characters that a spreadsheet takes for the start of a formula, their full-width twins included. */
const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** Text that is only a number. A spreadsheet reads it as that number, never as a formula. */
const onlyNumber = /^[+-](\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$|^-Infinity$/i;
/** Text that is guarded, or that looks so by itself. */
const guarded = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * Free text as a cell of a file that a spreadsheet may open: text that would start a formula is led by an apostrophe.
 * Numbers and times are not free text, and neither is text that is only a number: `-12.5` stays as it is.
 */
export const guardFormula = (text: string): string =>
  formulaStart.test(text) && !onlyNumber.test(text) ? `'${text}` : text;

/** Text for a file that is read again: what looks guarded by itself gets one apostrophe more, for `unguarded` to take. */
export const readableAgain = (text: string): string => (guarded.test(text) ? `'${text}` : text);

/** Takes the apostrophe away that `guardFormula` or `readableAgain` has put. */
export const unguarded = (text: string): string => (guarded.test(text) ? text.slice(1) : text);
