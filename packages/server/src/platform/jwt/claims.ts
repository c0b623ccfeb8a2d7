import { findUnstorable } from '../text/index.ts';

/** Last second of the year 9999: the last that every clock, date and log of ours can write. */
const timeMax = 253_402_300_799;

const timeClaims = ['exp', 'nbf', 'iat'] as const;

/** Most that OpenID Connect Core lets the subject of an ID token have. */
const subjectLengthMax = 255;

const controlCharacter = /\p{Cc}/u;

/**
 * What is wrong with the times that a verified token names: `exp`, `nbf` and `iat` are whole seconds up to the year
 * 9999 where they are there at all. Libraries ask for a number only, and `1e999`, which JSON allows, is read as
 * Infinity: an end that never comes. Whether the times are past or ahead is for the library to say.
 *
 * @returns a sentence that names the claim and nothing of its value; undefined when nothing is wrong.
 */
export function faultOfTimes(claims: Readonly<Record<string, unknown>>): string | undefined {
  const bad = timeClaims.find((name) => claims[name] !== undefined && !isTime(claims[name]));
  return bad && `the claim "${bad}" is no time in whole seconds`;
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= timeMax;

/**
 * What is wrong with the claim that names a user: it is a text, not empty, without control characters.
 *
 * @returns as `faultOfTimes`.
 */
export function faultOfName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'the token names no user';
  if (value.trim() === '') return 'the name of the user is empty';
  return controlCharacter.test(value) ? 'the name of the user has control characters' : undefined;
}

/**
 * What is wrong with the `sub` of an ID token: beside what holds for every name, it has at most 255 characters.
 *
 * @returns as `faultOfTimes`.
 */
export function faultOfSubject(value: unknown): string | undefined {
  const isLong = typeof value === 'string' && value.length > subjectLengthMax;
  return isLong ? 'the claim "sub" is too long' : faultOfName(value);
}

/**
 * What is wrong with the texts of a verified token: none holds U+0000 or half of a surrogate pair, which JSON allows
 * and no database can store.
 *
 * @returns as `faultOfTimes`.
 */
export function faultOfText(claims: Readonly<Record<string, unknown>>): string | undefined {
  return findUnstorable(claims) === undefined ? undefined : 'a claim holds a character that no text can have';
}
