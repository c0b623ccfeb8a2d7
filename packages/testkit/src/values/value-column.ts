import type { DocumentedKind } from './documented-form.ts';

/** Returns a number from 0 to 1, 1 excluded. The same seed gives the same numbers. */
type Random = () => number;

/** Column of one type, with values at and beyond the bounds of the type. */
export type ValueColumn = {
  /** Type name of the engine. */
  readonly type: string;
  readonly kind: DocumentedKind;
  /** Values as texts that the engine reads. */
  readonly bounds: readonly string[];
  /** Returns a further value. */
  readonly random: (random: Random) => string;
  /** Writes a value as a literal of SQL. Default: text in quotes. */
  readonly literal?: (text: string) => string;
  /** Converts the text of the engine to the documented form. Default: unchanged. */
  readonly documented?: (text: string) => string;
  /** SQL expression of the text of the engine. Default: the column. */
  readonly engineText?: (column: string) => string;
};

/** Creates a generator of random numbers (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const upTo = (random: Random, max: number): number => Math.floor(random() * max);
const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** Returns a generator of integers with at most `digits` digits. */
export const wholeOf =
  (digits: number, isSigned = true) =>
  (random: Random): string => {
    let text = String(1 + upTo(random, 9));
    for (let left = upTo(random, digits); left > 1; left -= 1) text += upTo(random, 10);
    return isSigned && random() < 0.4 ? `-${text}` : text;
  };

export const withinOf = (min: number, max: number) => (random: Random) =>
  String(min + upTo(random, max - min + 1));

/** Returns a generator of decimals with exactly `places` decimal places, or fewer if `isFixed` is false. */
export const decimalOf =
  (digits: number, places: number, isFixed = true) =>
  (random: Random): string => {
    const count = isFixed ? places : upTo(random, places);
    let fraction = '';
    for (let place = 0; place < count; place += 1) fraction += upTo(random, 10);
    return wholeOf(digits)(random) + (fraction === '' ? '' : `.${fraction}`);
  };

/** Returns a finite double: from random bits, or between -500,000 and 500,000. */
export function randomDouble(random: Random): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setUint32(0, upTo(random, 2 ** 32));
  bits.setUint32(4, upTo(random, 2 ** 32));
  const value = random() < 0.5 ? bits.getFloat64(0) : (random() - 0.5) * 1e6;
  return Number.isFinite(value) && Math.abs(value) >= Number.MIN_VALUE ? String(value) : '0.1';
}

/** Returns a normal and finite 32-bit float. */
export function randomFloat(random: Random): string {
  const value = Math.fround((random() - 0.5) * 10 ** (upTo(random, 60) - 30));
  return String(value);
}

const pieces = [
  'a',
  'Z',
  'é',
  'ß',
  '\u{1f600}',
  '"',
  "'",
  '\\',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '=',
  '+',
  '-',
  '@',

  '<',
  '>',
  '&',
  '{{',
  '}}',
  '_x000D_',
  '\u0001',
  '\u007f',
  '\u200b',
  '\ufeff',
  '1',
  '007',
  'NULL',
  '\u2028',
];

export function randomText(random: Random): string {
  let text = '';
  for (let left = upTo(random, 12); left > 0; left -= 1) text += pieces[upTo(random, pieces.length)];
  return text;
}

/** Returns random bytes as hexadecimal text. */
export function randomHex(random: Random): string {
  let text = '';
  for (let left = upTo(random, 20); left > 0; left -= 1) text += padded(upTo(random, 256)).slice(-2);
  return text.length % 2 === 0 ? text : `${text}0`;
}

export const randomDate = (random: Random): string =>
  `${padded(1 + upTo(random, 9_999), 4)}-${padded(1 + upTo(random, 12))}-${padded(1 + upTo(random, 28))}`;

export function randomTime(random: Random): string {
  const time = [24, 60, 60].map((max) => padded(upTo(random, max))).join(':');
  return random() < 0.5 ? time : `${time}.${padded(upTo(random, 1_000_000), 6)}`;
}

export const randomTimestamp = (random: Random): string => `${randomDate(random)} ${randomTime(random)}`;

export function randomUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => upTo(random, 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns JSON with numbers that a double cannot represent. */
export const randomJson = (random: Random): string =>
  `{"n": ${decimalOf(25, 12, false)(random)}, "t": ${JSON.stringify(randomText(random))}, "a": [${wholeOf(19)(random)}, null]}`;

export const texts: readonly string[] = [
  '',
  'plain',
  '007',
  '-5',
  '+1.5',
  '=1+1',
  '@a',
  "it's",
  'a,b;"c"',
  ' pad ',
  'a\tb\nc\rd\r\n',
  '\u0001\u007f',
  'é🙂𝄞',
  '_x0041_',
  '{{name}}',
  '<b>&amp;</b>',
  'NULL',
  'null',
  'NaN',
  '1e5',
  '\u{feff}mark',
  '\u2028',
];
