import { isCardNumber } from './card-numbers.ts';
import { maskText } from './rules.ts';

/** Rules that decide which parts of a JSON text are masked. */
export type JsonRules = {
  /** Returns true for the name of a member with a personal value. */
  readonly isPersonal: (name: string) => boolean;
  /** Returns true for a text that contains a personal value. */
  readonly holds: (text: string) => boolean;
};

const depthMax = 50;
const blanks = /[ \t\n\r]*/y;
const word = /[^ \t\n\r,\]}]*/y;

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Returns the index after the string that begins with a quote at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
}

/** Returns the index after the value that begins at `from`. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; ) {
    const start = text[at];
    if (start === '"') at = endOfString(text, at);
    else if (start === '{' || start === '[') [at, depth] = [at + 1, depth + 1];
    else if (start === '}' || start === ']') [at, depth] = [at + 1, depth - 1];
    else at = start === ',' || start === ':' ? at + 1 : matchEnd(word, text, at);
    if (depth === 0) return at;
    at = matchEnd(blanks, text, at);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nestedStart = /^\s*(?:[{[]|"[\s\\"]*[{[])/;
const [quote, bracket, brace, lastAscii] = [0x22, 0x5b, 0x7b, 0x7f];

/** Returns true for a text that can be JSON with members or items, or a JSON text with such JSON in it. */
export function looksNested(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most texts begin with another character. ASCII blanks are less than a quote; other blanks are not ASCII.
  const isPossible = first <= quote || first === bracket || first === brace || first > lastAscii;
  return isPossible && nestedStart.test(text);
}

/** A word before a colon, an equals sign or an arrow, with or without quotes. */
const memberName = /(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]*)["'\\]*\s*(?:=>|[:=])/gu;

/**
 * Returns true if a document in another notation than JSON has a member with a personal name: an array of documents, lines of
 * JSON, a dictionary of Python, an incomplete document.
 */
export function namesPersonalMember(text: string, isPersonal: JsonRules['isPersonal']): boolean {
  for (const [, name = ''] of text.matchAll(memberName)) if (isPersonal(name)) return true;
  return false;
}

/**
 * Masks values under a personal key, and keys and values of a personal form. The rest of the text remains unchanged:
 * long numbers, repeated members, blanks and their order. Texts that contain JSON are masked inside, too.
 *
 * @returns undefined for a text that is not JSON
 */
export function maskJson(text: string, rules: JsonRules): string | undefined {
  return isJson(text) ? maskValid(text, rules, 0) : undefined;
}

function maskValid(text: string, rules: JsonRules, depthBefore: number): string {
  const { isPersonal, holds } = rules;
  let out = '';
  let copied = 0;
  const replace = (from: number, to: number, masked: string): void => {
    out += text.slice(copied, from) + JSON.stringify(masked);
    copied = to;
  };

  const readString = (from: number, to: number, depth: number): void => {
    const value: string = JSON.parse(text.slice(from, to));
    const masked = holds(value)
      ? maskText(value)
      : looksNested(value) && isJson(value)
        ? maskValid(value, rules, depth + 1)
        : value;
    if (masked !== value) replace(from, to, masked);
  };

  const readValue = (from: number, depth: number, isUnderPersonalKey: boolean): number => {
    const start = text[from] ?? '';
    const isMasked = depth > depthMax || (isUnderPersonalKey && !'tfn'.includes(start));
    if (!isMasked && (start === '{' || start === '[')) return readMembers(from, depth);
    const to = endOfValue(text, from);
    const source = text.slice(from, to);
    if (isMasked) replace(from, to, maskText(start === '"' ? JSON.parse(source) : source));
    else if (start === '"') readString(from, to, depth);
    else if (
      isCardNumber(/^-?\d+$/.test(source) ? source.replace('-', '') : String(Math.abs(Number(source))))
    )
      replace(from, to, maskText(source));
    return to;
  };

  const readMembers = (from: number, depth: number): number => {
    const isObject = text[from] === '{';
    let at = matchEnd(blanks, text, from + 1);
    while (text[at] !== '}' && text[at] !== ']') {
      let isUnderPersonalKey = false;
      if (isObject) {
        const end = endOfString(text, at);
        const key: string = JSON.parse(text.slice(at, end));
        if (holds(key)) replace(at, end, maskText(key));
        isUnderPersonalKey = isPersonal(key);
        at = matchEnd(blanks, text, matchEnd(blanks, text, end) + 1);
      }
      at = matchEnd(blanks, text, readValue(at, depth + 1, isUnderPersonalKey));
      if (text[at] === ',') at = matchEnd(blanks, text, at + 1);
    }
    return at + 1;
  };

  readValue(matchEnd(blanks, text, 0), depthBefore, false);
  return out + text.slice(copied);
}
