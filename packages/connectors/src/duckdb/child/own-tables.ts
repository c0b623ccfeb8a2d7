import { ConnectorError } from '../../error.ts';

/** Members of the engine's tree that qualify a table, a function or a type. */
const qualifiers = ['catalog_name', 'schema_name', 'catalog', 'schema'] as const;
const ownQualifiers: ReadonlySet<string> = new Set(['', 'main', 'memory']);
/** Functions that return names, view definitions and enumeration labels of every database. */
const catalogueFunctions = /^(duckdb_|pragma_|sqlite_|pg_(?!typeof$)|current_schemas$|enum_)/;
/** Table functions that read the table of their first argument. The tree represents that table as a column. */
const tableReaders = /^histogram(_values)?$/;
/** Catalogue views that a statement can name without a schema. */
const catalogueTables = /^(duckdb_|pragma_|sqlite_|pg_)/;
/** `DESCRIBE` and `SUMMARIZE` of a query or a table. The other forms list objects of attached databases. */
const ownShows: ReadonlySet<string> = new Set(['DESCRIBE', 'SUMMARY']);

/**
 * Refuses a SELECT that names an object outside of the schema of the listed files. The database of a listed file has further
 * tables, and views and functions of an untrusted author.
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
