import { type RejectionCode, WriteRefusal } from '../../writers/port.ts';

/** Value that the server would store differently. */
export class ChangedValue extends Error {
  override readonly name = 'ChangedValue';
}

const doubledEntry = 1062;

/** Error numbers that concern the values of one row. */
const rejections = new Map<number, RejectionCode>([
  [1048, 'null-value'],
  [1264, 'out-of-range'],
  [1265, 'invalid-value'],
  [1292, 'invalid-time'],
  [1366, 'invalid-value'],
  [1406, 'too-long'],
  [1411, 'invalid-time'],
  [1690, 'out-of-range'],
  [3140, 'invalid-value'],
  [3819, 'check-failed'],
  [4025, 'check-failed'],
]);

/** Returns the number of an error of the server; 0 for any other error. */
export const numberOf = (error: unknown): number =>
  error instanceof Error && 'errno' in error ? Number(error.errno) : 0;

/** Returns the reason of a rejection; undefined for an error that concerns more than the values of the rows. */
export function rejectionOf(error: unknown): RejectionCode | undefined {
  if (error instanceof ChangedValue) return 'inexact';
  const isText = error instanceof Error && error.message.startsWith('Incorrect string value');
  return isText ? 'invalid-text' : rejections.get(numberOf(error));
}

export const isDoubled = (error: unknown): boolean => numberOf(error) === doubledEntry;

/** Replaces the server's own message, which repeats the value. */
export function doubledKey(error: unknown): WriteRefusal {
  const [, key = 'of the destination'] = /for key '([^']+)'/.exec(String(error)) ?? [];
  return new WriteRefusal('key-not-unique', `Two rows have the same value in the unique key ${key}.`);
}

/** Returns the column that the message of an error names. */
export const columnOf = (error: unknown): string | null =>
  /for column (?:`[^`]*`\.`[^`]*`\.)?[`']([^`']+)[`']|^Column '([^']+)'/
    .exec(error instanceof Error ? error.message : '')
    ?.slice(1)
    .find((name) => name !== undefined) ?? null;
