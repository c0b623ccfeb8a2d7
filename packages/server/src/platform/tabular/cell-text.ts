/** A column of a file: its heading, if its values are free text, and its kind of time. */
export type TabularColumn = {
  readonly name: string;
  readonly isText: boolean;
  /** The values are ISO 8601 text of this kind. Spreadsheets get them as native times. */
  readonly time?: TimeKind;
  /** The values are whole numbers or decimals. Texts of such a column are numbers, with the scale of the column. */
  readonly isNumeric?: boolean;
  /** The values are floats. */
  readonly isFloat?: boolean;
};

/** Kinds of time: a day, a time of day, a timestamp without a zone, and a timestamp in UTC. */
export type TimeKind = 'Date' | 'Time' | 'Timestamp' | 'UtcTimestamp';

/** A batch of rows, column by column. */
export type TabularBatch = {
  readonly rowCount: number;
  readonly columns: readonly (readonly (string | number | boolean | null)[])[];
};

/** First characters that a spreadsheet treats as the start of a formula, including their full-width variants. */
const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** Text that is only a number. A spreadsheet reads it as that number, never as a formula. */
const onlyNumber = /^[+-](\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** The only value of a column of numbers that is a text and begins with a formula character. */
const negativeInfinity = '-Infinity';
/** Text with a guarding apostrophe, including original text of the same form. */
const guarded = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * Returns free text as a spreadsheet-safe cell: text that would start a formula gets a leading apostrophe. Numbers
 * and times are not free text. Text that is only a number, such as `-12.5`, remains unchanged.
 */
export const guardFormula = (text: string): string =>
  formulaStart.test(text) && !onlyNumber.test(text) ? `'${text}` : text;

/** Returns a text of a column as a spreadsheet-safe cell. In a column of numbers, `-Infinity` is a value and no free text. */
export function cellText(text: string, { isText, isNumeric, isFloat }: TabularColumn): string {
  const isValue = !isText || ((isNumeric || isFloat) && text === negativeInfinity);
  return isValue ? text : guardFormula(text);
}

/**
 * Returns text for a file that will be read again. Text that already looks guarded gets one more apostrophe, which
 * `unguarded` removes.
 */
export const readableAgain = (text: string): string => (guarded.test(text) ? `'${text}` : text);

/** Removes the apostrophe of `guardFormula` or `readableAgain`. */
export const unguarded = (text: string): string => (guarded.test(text) ? text.slice(1) : text);
