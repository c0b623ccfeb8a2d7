import type { Part } from '@svc/pg-wire';
import type { LineageQuery } from '../../lineage/query.ts';
import { resolveLineage } from '../../lineage/resolve.ts';
import type { Sources } from '../../lineage/sources.ts';
import type { CheckedRead } from '../gate/checked-read.ts';
import { fieldsOf, nodeOf, textOf } from '../parser/tree.ts';
import { askCatalogue, type ReadCatalogue } from './catalogue.ts';
import { lineageQueryOf } from './convert.ts';

/** Converted statement, and the relations that it names. */
type Converted = { readonly query: LineageQuery | string; readonly tables: readonly (readonly string[])[] };

const converted = new WeakMap<CheckedRead, Converted | null>();

/** Returns null for SHOW and EXPLAIN, whose columns come from no table. */
function convert(read: CheckedRead): Converted | null {
  const cached = converted.get(read);
  if (cached !== undefined) return cached;
  const { kind, fields } = read.tree;
  const result =
    kind === 'SelectStmt'
      ? { query: converting(() => lineageQueryOf(fields)), tables: tableNames(fields) }
      : null;
  converted.set(read, result);
  return result;
}

/** Catches an overflow of the stack: `run` recurses as deep as the statement is nested. */
function converting<Result>(run: () => Result): Result | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return 'the nesting is too deep';
    throw error;
  }
}

/** Returns the names in FROM, including CTEs. For a CTE the catalogue has no relation, or an unrelated one. */
function tableNames(root: unknown): string[][] {
  const paths = new Map<string, string[]>();
  const pending = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) pending.push(...(value as unknown[]));
    const node = nodeOf(value);
    if (node?.kind === 'RangeVar') {
      const path = [textOf(node.fields['schemaname']), textOf(node.fields['relname'])].filter(
        (part) => part !== '',
      );
      paths.set(JSON.stringify(path), path);
    }
    const fields = fieldsOf(value);
    if (fields)
      for (const child of Object.values(fields))
        if (typeof child === 'object' && child !== null) pending.push(child);
  }
  return [...paths.values()];
}

/** Returns the relations that a statement names. */
export const tablesOfRead = (read: CheckedRead): readonly (readonly string[])[] =>
  convert(read)?.tables ?? [];

/** Returns the sources of the columns, or the reason why they are unknown. Undefined for SHOW and EXPLAIN. */
export function lineageOf(read: CheckedRead, catalogue: ReadCatalogue): Sources {
  const statement = convert(read);
  if (!statement) return undefined;
  const { query } = statement;
  const sources =
    typeof query === 'string' ? query : converting(() => resolveLineage(query, catalogue.relationOf));
  return typeof sources === 'string' ? { names: [], unknown: sources } : sources;
}

/** Requests the catalogue entries for the lineage of a statement, within the statement's transaction. */
export function askLineage(read: CheckedRead): {
  readonly parts: readonly Part[];
  readonly catalogue: () => Promise<ReadCatalogue>;
  readonly sources: () => Promise<Sources>;
} {
  const { parts, catalogue } = askCatalogue(tablesOfRead(read));
  return { parts, catalogue, sources: async () => lineageOf(read, await catalogue()) };
}
