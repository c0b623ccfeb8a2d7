import { ConnectorError } from '../error.ts';

/** Members of the engine's tree that qualify a table, a function or a type. */
const qualifiers = ['catalog_name', 'schema_name', 'catalog', 'schema'] as const;
const ownQualifiers: ReadonlySet<string> = new Set(['', 'main', 'memory']);
/** They show names, texts of views and labels of enumerations of every database. */
const catalogueFunctions = /^(duckdb_|pragma_|sqlite_|pg_(?!typeof$)|current_schemas$|enum_)/;
/** As table functions they read the table that their first argument names. The tree shows that table as a column. */
const tableReaders = /^histogram(_values)?$/;
/** Views of the catalogue that need no schema before their names. */
const catalogueTables = /^(duckdb_|pragma_|sqlite_|pg_)/;
/** `DESCRIBE` and `SUMMARIZE` of a query or a table; the other forms list what is attached. */
const ownShows: ReadonlySet<string> = new Set(['DESCRIBE', 'SUMMARY']);

/**
 * Refuses a SELECT that names something outside of the schema in which the listed files are: the database of a listed file
 * has further tables, and views and functions that a stranger wrote.
 *
 * @param listed  names of the listed files, in lower case
 * @throws ConnectorError `permission-denied`
 */
export function assertOwnTables(tree: unknown, listed: ReadonlySet<string>): void {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (!Array.isArray(node)) assertOwn(node as Readonly<Record<string, unknown>>, listed);
    for (const child of Object.values(node)) if (typeof child === 'object') open.push(child);
  }
}

function assertOwn(node: Readonly<Record<string, unknown>>, listed: ReadonlySet<string>): void {
  const text = (name: string) => (typeof node[name] === 'string' ? node[name].toLowerCase() : '');
  const isOwn =
    qualifiers.every((name) => ownQualifiers.has(text(name))) &&
    !catalogueFunctions.test(text('function_name')) &&
    !tableReaders.test(text('function_name')) &&
    !(
      node['type'] === 'BASE_TABLE' &&
      catalogueTables.test(text('table_name')) &&
      !listed.has(text('table_name'))
    ) &&
    !(node['type'] === 'SHOW_REF' && !ownShows.has(String(node['show_type'])));
  if (!isOwn)
    throw new ConnectorError(
      'permission-denied',
      'With a DuckDB file in its data source, a statement may name only the listed tables, and no histogram.',
    );
}
