import { beginsAsFormula, guardFormula } from '@svc/contract';

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

/** The only value of a column of numbers that is a text and begins with a formula character. */
const negativeInfinity = '-Infinity';
/** Returns a text of a column as a spreadsheet-safe cell. In a column of numbers, `-Infinity` is a value and no free text. */
export function cellText(text: string, { isText, isNumeric, isFloat }: TabularColumn): string {
  const isValue = !isText || ((isNumeric || isFloat) && text === negativeInfinity);
  return isValue ? text : guardFormula(text);
}

/** Returns true for text with a guarding apostrophe, including original text of the same form. */
const isGuarded = (text: string): boolean => text.startsWith("'") && beginsAsFormula(text.replace(/^'+/, ''));

/**
 * Returns text for a file that will be read again. Text that already looks guarded gets one more apostrophe, which
 * `unguarded` removes.
 */
export const readableAgain = (text: string): string => (isGuarded(text) ? `'${text}` : text);

/** Removes the apostrophe of `guardFormula` or `readableAgain`. */
export const unguarded = (text: string): string => (isGuarded(text) ? text.slice(1) : text);
