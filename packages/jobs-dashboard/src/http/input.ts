import { invalid } from '../problem.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const textLengthMax = 500;

/** Returns true for a complete uuid. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** Returns a query parameter as text; undefined when it is missing or blank. @throws Problem 400 when it is too long. */
export function textOf(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name)?.trim();
  if (value === undefined || value === '') return undefined;
  return checkText(name, value);
}

export function checkText(name: string, value: string): string {
  if (value.length > textLengthMax) throw invalid(`${name} has at most ${textLengthMax} characters.`);
  if (value.includes('\0') || !value.isWellFormed())
    throw invalid(`${name} holds a character that no text can.`);
  return value;
}

/** Returns a query parameter as a whole number. @throws Problem 400 when it is not a whole number or out of range. */
export function numberOf(
  query: URLSearchParams,
  name: string,
  range: { readonly min: number; readonly max: number; readonly byDefault: number },
): number {
  const text = textOf(query, name);
  if (text === undefined) return range.byDefault;
  const value = Number(text);
  if (!Number.isInteger(value) || value < range.min || value > range.max) {
    throw invalid(`${name} must be a whole number from ${range.min} to ${range.max}.`);
  }
  return value;
}

/** Returns a value of a closed list. @throws Problem 400 that lists the allowed values. */
export function oneOf<T extends string>(name: string, value: string, members: readonly T[]): T {
  const match = members.find((member) => member === value);
  if (match === undefined) throw invalid(`${name} must be one of ${members.join(', ')}.`);
  return match;
}

/** Parses an ISO 8601 time. @throws Problem 400. */
export function dateOf(name: string, value: string): Date {
  const date = new Date(value);
  const isReadable = /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(date.getTime());
  if (!isReadable) throw invalid(`${name} must be a time such as 2026-03-01T12:00:00Z.`);
  return date;
}
