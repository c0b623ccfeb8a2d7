import { sha256Hex } from '../../../platform/crypto/index.ts';
import { comparableText } from '../../../platform/tabular/index.ts';

/**
 * Returns a fingerprint of a result: its rows with their multiplicity, regardless of column names, column order and row
 * order. Equal results may get different fingerprints if two columns have the same values in different rows.
 */
export function resultFingerprint(rows: readonly (readonly unknown[])[], isCut: boolean): string {
  const texts = rows.map((row) => row.map(comparableText));
  const width = Math.max(0, ...texts.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, at) => ({
    at,
    values: JSON.stringify(texts.map((row) => row[at] ?? 'null').toSorted()),
  })).toSorted((one, other) => (one.values < other.values ? -1 : Number(one.values > other.values)));
  const lines = texts.map((row) => JSON.stringify(columns.map(({ at }) => row[at] ?? 'null'))).toSorted();
  return sha256Hex(JSON.stringify([isCut, lines]));
}
