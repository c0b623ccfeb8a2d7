import type { SignalRow } from '../signal-store.ts';
import type { SchemaNames } from '../statements/schema-names.ts';
import type { Pattern } from './pattern.ts';

/** Maximum time between a refused statement and its correction. */
const mendedMs = 10 * 60_000;
/** From 0 (no common letters) to 1. */
const similarityMin = 0.5;

/** Outcome of a statement that the database refused. Only this outcome proves that a name does not exist. */
const schemaFault = 'statement-failed';

export const isAnswered = ({ outcome }: Pick<SignalRow, 'outcome'>): boolean => outcome === 'Succeeded';

/**
 * Returns refused names with their correction in the next statement of the same caller. Signals must be ordered oldest
 * first.
 */
export function corrections(signals: readonly SignalRow[], schema: SchemaNames): Pattern[] {
  const byIdentity = new Map<
    string,
    { pattern: Omit<Pattern, 'signalCount' | 'callerCount'>; callers: string[] }
  >();
  for (const [callerHash, own] of Map.groupBy(signals, (signal) => signal.callerHash))
    for (const [at, refused] of own.entries()) {
      if (refused.outcome !== schemaFault || refused.unknownNames.length === 0) continue;
      const mended = own.slice(at + 1).find(isAnswered);
      if (!mended || mended.createdTime.getTime() - refused.createdTime.getTime() > mendedMs) continue;
      for (const pattern of corrected(refused, mended, schema)) {
        const entry = byIdentity.get(pattern.identity) ?? { pattern, callers: [] };
        byIdentity.set(pattern.identity, { pattern, callers: [...entry.callers, callerHash] });
      }
    }
  return [...byIdentity.values()].map(({ pattern, callers }) => ({
    ...pattern,
    signalCount: callers.length,
    callerCount: new Set(callers).size,
  }));
}

type Candidate = { readonly of: 'Table' | 'Column'; readonly table: string; readonly name: string };

/** Returns the replacement of each refused name in the corrected statement. */
function corrected(
  refused: SignalRow,
  mended: SignalRow,
  schema: SchemaNames,
): Omit<Pattern, 'signalCount' | 'callerCount'>[] {
  const had = new Set([...refused.tables, ...refused.columns.map((column) => column.join('\n'))]);
  const columns = mended.columns
    .filter((column) => !had.has(column.join('\n')) && refused.tables.includes(column[0]))
    .map(([table, name]): Candidate => ({ of: 'Column', table, name }));
  const tables = mended.tables
    .filter((table) => !had.has(table))
    .map((table): Candidate => ({ of: 'Table', table, name: table }));
  const wrongs = refused.unknownNames.filter((name) => !mended.unknownNames.includes(name));
  return wrongs.flatMap((wrong) => {
    const best = [...columns, ...tables]
      .map((candidate) => ({ candidate, likeness: similarity(wrong, bareOf(candidate, schema)) }))
      .toSorted((a, b) => b.likeness - a.likeness)[0];
    // A single replaced name is a correction regardless of spelling; otherwise the names must be similar.
    const isOnly = wrongs.length === 1 && columns.length + tables.length === 1;
    if (!best || (!isOnly && best.likeness < similarityMin)) return [];
    const { of, table, name } = best.candidate;
    return [
      {
        kind: 'SchemaCorrection' as const,
        identity: JSON.stringify([of, table, wrong]),
        table,
        column: of === 'Column' ? name : null,
        content: { kind: 'SchemaCorrection' as const, of, wrong, right: name },
      },
    ];
  });
}

const bareOf = ({ of, name }: Candidate, schema: SchemaNames): string =>
  of === 'Table' ? (schema.table(name)?.bare ?? name) : name;

/** Returns the Dice coefficient of two names: the share of common pairs of adjacent letters. */
export function similarity(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  const common = a.filter((pair) => b.includes(pair)).length;
  return a.length + b.length === 0 ? 0 : (2 * common) / (a.length + b.length);
}

function pairsOf(name: string): string[] {
  const letters = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [
    ...new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2))),
  ];
}
