/** Built-in format 46 of times that may exceed a day, `[h]:mm:ss`. */
export const elapsedFormatId = '46';
export const plainFormatId = '1';
/** Currencies and languages, such as `[$€-407]`. */
const localeGroup = /\[\$[^[\]]*\]/g;
const quotedOrEscaped = /"[^"]*"|\\./g;
const plainNumber = '0';

/**
 * Returns a number format without names of currencies and languages: the reader would detect a date from their
 * letters, unlike a spreadsheet program. Times that may exceed a day become numbers of days, the stored values. As
 * dates, 1,500 hours would be a day in March 1900.
 */
export const soundFormat = (code: string): string =>
  /\[(h+|m+|s+)\]/i.test(code.replace(quotedOrEscaped, '')) ? plainNumber : code.replace(localeGroup, '');
