import type { RejectionCode } from '../../writers/port.ts';

/** SQLSTATEs that concern the values of one row. */
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

/** Returns the reason why the server rejects a row; undefined for an error that concerns no single row. */
export function rejectionOf(error: unknown): RejectionCode | undefined {
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  return rejections.get(state) ?? (state.startsWith('22') ? 'refused' : undefined);
}

/** Returns the number of the rejected row, from 1, which the context of a `COPY` error contains; 0 without it. */
export function lineNumber(error: unknown): number {
  const where = error instanceof Error && 'where' in error ? String(error.where) : '';
  return Number(/^COPY [^,]+, \D+(\d+)/m.exec(where)?.[1] ?? 0);
}

/** Matches the start of a `COPY` context, before the column's name. An error in JSON has a separate line before it. */
const copyLine = /^COPY [^\n]*?, line \d+, column /m;

/**
 * Returns the column that an error names: in a field of the error, or at the start of the context of a `COPY`.
 *
 * @param names Column names, one of which starts the text of the context.
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
