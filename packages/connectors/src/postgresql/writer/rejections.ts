import type { RejectionCode } from '../../writers/port.ts';

/** SQLSTATEs that speak of one row's values. */
const rejections = new Map<string, RejectionCode>([
  ['22001', 'too-long'],
  ['22003', 'out-of-range'],
  ['22007', 'invalid-time'],
  ['22008', 'invalid-time'],
  ['22021', 'invalid-text'],
  ['22P05', 'invalid-text'],
  ['22P02', 'invalid-value'],
  ['22P03', 'invalid-value'],
  ['23502', 'null-value'],
  ['23514', 'check-failed'],
]);

/** Why the server rejects a row; undefined for an error that speaks of no row. */
export function rejectionOf(error: unknown): RejectionCode | undefined {
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  return rejections.get(state) ?? (state.startsWith('22') ? 'refused' : undefined);
}

/** The server counts rows of a `COPY` from 1, and says so at the start of where it was; 0: it does not. */
export function lineNumber(error: unknown): number {
  const where = error instanceof Error && 'where' in error ? String(error.where) : '';
  return Number(/^COPY [^,]+, \D+(\d+)/m.exec(where)?.[1] ?? 0);
}

/** The start of the context of a `COPY`, in front of the column's name. A fault in JSON has a line of its own before. */
const copyLine = /^COPY [^\n]*?, line \d+, column /m;

/**
 * Returns the column that an error names: as a field of the error, or at the start of the context of a `COPY`.
 *
 * @param names Names of the columns, of which the context's text starts with one.
 */
export function columnOf(error: unknown, names: readonly string[]): string | null {
  if (!(error instanceof Error)) return null;
  if ('column' in error && typeof error.column === 'string') return error.column;
  const where = 'where' in error ? String(error.where) : '';
  const line = copyLine.exec(where);
  if (!line) return null;
  const rest = where.slice(line.index + line[0].length);
  const matches = names.filter(
    (name) => rest === name || rest.startsWith(`${name}:`) || rest.startsWith(`${name}\n`),
  );
  return matches.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
