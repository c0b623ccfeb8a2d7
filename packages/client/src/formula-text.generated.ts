// Written by `npm run docs` from packages/contract/src/formula-text.ts.

/** First characters that a spreadsheet treats as the start of a formula, including their full-width variants. */
const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** Text that is only a number. A spreadsheet reads it as that number, never as a formula. */
const onlyNumber = /^[+-](\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Returns true for a text that begins with a character of formulas. It can be a number. */
export const beginsAsFormula = (text: string): boolean => formulaStart.test(text);

/**
 * Returns free text as a spreadsheet-safe cell: text that would start a formula gets a leading apostrophe. Numbers
 * and times are not free text. Text that is only a number, such as `-12.5`, remains unchanged.
 */
export const guardFormula = (text: string): string =>
  beginsAsFormula(text) && !onlyNumber.test(text) ? `'${text}` : text;
