import { ConnectorError } from '../../error.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * Returns true if a JSON text has more than `valuesMax` values, including nested values and member names. It counts
 * before parsing, because parsed values need much memory: an object of two bytes takes sixty.
 */
export function holdsMoreValues(text: string, valuesMax: number): boolean {
  if (text.length <= valuesMax) return false;
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (isBeforeValue(code) && ++count > valuesMax) return true;
  }
  return false;
}

const isBeforeValue = (code: number): boolean =>
  code === comma || code === colon || code === openBracket || code === openBrace;

/** Returns the index of the quote that closes the string which starts here. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at;
  }
  return text.length;
}

/** Most values of a JSON text that describes a result, a table or a plan. */
const describedValuesMax = 500_000;

/**
 * Parses a JSON text that describes a result, a table or a plan. Undefined for invalid JSON and for more than
 * `describedValuesMax` values.
 */
export function parseDescription(text: string): unknown {
  if (holdsMoreValues(text, describedValuesMax)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Most values of one cell or row. More do not fit next to other work in a small process. */
const valuesMax = 2_000_000;

/** @param what  subject of the error message, at the start of its sentence */
export function assertFewValues(text: string, what: string): void {
  if (holdsMoreValues(text, valuesMax))
    throw new ConnectorError('value-too-large', `${what} of the result holds more than ${valuesMax} values.`);
}
