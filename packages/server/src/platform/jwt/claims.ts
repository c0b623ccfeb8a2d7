import { findUnstorable } from '../text/index.ts';

/** Last second of the year 9999: the latest time that every clock, date and log of the service can write. */
const timeMax = 253_402_300_799;

const timeClaims = ['exp', 'nbf', 'iat'] as const;

/** Maximum length of the subject of an ID token in OpenID Connect Core. */
const subjectLengthMax = 255;

const controlCharacter = /\p{Cc}/u;

/**
 * Checks the times of a verified token: `exp`, `nbf` and `iat`, if present, are whole seconds up to the year 9999.
 * Libraries only require a number, and `1e999`, which JSON allows, is read as Infinity: an end that never comes.
 * The library checks if the times are past or ahead.
 *
 * @returns a sentence that names the claim without its value; undefined for valid times.
 */
export function faultOfTimes(claims: Readonly<Record<string, unknown>>): string | undefined {
  const bad = timeClaims.find((name) => claims[name] !== undefined && !isTime(claims[name]));
  return bad && `the claim "${bad}" is no time in whole seconds`;
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= timeMax;

/**
 * Checks the claim that names a user: a non-empty text without control characters.
 *
 * @returns as `faultOfTimes`.
 */
export function faultOfName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'the token names no user';
  if (value.trim() === '') return 'the name of the user is empty';
  return controlCharacter.test(value) ? 'the name of the user has control characters' : undefined;
}

/**
 * Checks the `sub` of an ID token: a valid name of at most 255 characters.
 *
 * @returns as `faultOfTimes`.
 */
export function faultOfSubject(value: unknown): string | undefined {
  const isLong = typeof value === 'string' && value.length > subjectLengthMax;
  return isLong ? 'the claim "sub" is too long' : faultOfName(value);
}

/**
 * Checks the texts of a verified token. None contains U+0000 or an unpaired surrogate, which JSON allows and no
 * database can store.
 *
 * @returns as `faultOfTimes`.
 */
export function faultOfText(claims: Readonly<Record<string, unknown>>): string | undefined {
  return findUnstorable(claims) === undefined ? undefined : 'a claim holds a character that no text can have';
}
