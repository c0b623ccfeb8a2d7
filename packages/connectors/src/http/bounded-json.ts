import { ConnectorError } from '../error.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * True for a text of JSON with more values than that, those within lists and objects and the names of members among
 * them. It is told before the text is parsed: an object of two bytes takes sixty of the memory.
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

/** The place of the quote that ends the text which begins at this one. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at;
  }
  return text.length;
}

/** Of what describes a result, a table or a plan. */
const describedValuesMax = 500_000;

/** What a text of JSON says that describes something; undefined where it is none, or holds more values than those. */
export function parseDescription(text: string): unknown {
  if (holdsMoreValues(text, describedValuesMax)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of one value or row: what more is made of does not fit beside other work in a small process. */
const valuesMax = 2_000_000;

/** @param what  as a sentence begins with it */
export function assertFewValues(text: string, what: string): void {
  if (holdsMoreValues(text, valuesMax))
    throw new ConnectorError('value-too-large', `${what} of the result holds more than ${valuesMax} values.`);
}
