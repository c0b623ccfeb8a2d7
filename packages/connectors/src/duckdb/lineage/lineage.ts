import type { DuckDBConnection } from '@duckdb/node-api';
import { resolveLineage } from '../../lineage/resolve.ts';
import type { Sources } from '../../lineage/sources.ts';
import { readCatalogue } from './catalogue.ts';
import { lineageQueryOf } from './convert.ts';
import { type DuckNode, nameOf, nodeOf } from './tree.ts';

/** Returns the sources of the columns of a parsed SELECT, from its tree and the engine's catalogue. */
export async function sourcesOfSelect(connection: DuckDBConnection, statement: unknown): Promise<Sources> {
  const node = nodeOf(nodeOf(statement)?.['node']);
  if (!node) return { names: [], unknown: 'the statement has no tree' };
  const catalogue = await readCatalogue(connection, tablesOf(node));
  try {
    return resolveLineage(lineageQueryOf(node), catalogue);
  } catch (error) {
    if (error instanceof RangeError) return { names: [], unknown: 'the nesting is too deep' };
    throw error;
  }
}

/** Returns the names in FROM, including names of CTEs. */
function tablesOf(root: DuckNode): string[][] {
  const paths: string[][] = [];
  const pending: unknown[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) pending.push(...(next as unknown[]));
    const node = nodeOf(next);
    if (node?.['type'] === 'BASE_TABLE') paths.push([nameOf(node['table_name'])]);
    if (node)
      pending.push(...Object.values(node).filter((value) => typeof value === 'object' && value !== null));
  }
  return paths;
}
