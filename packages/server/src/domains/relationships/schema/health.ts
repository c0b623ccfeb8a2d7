import type { TableMetadata } from '@svc/connectors';
import type { SchemaHealth } from '@svc/contract';
import { mayMatch } from '../../../platform/sql-types/index.ts';
import { type Ends, keyOfEnds, nameOfTable } from '../types.ts';
import type { Schema } from './schema.ts';

/** Maximum number of names in each list of the health. The count includes all of them. */
export const listedMax = 100;

type RatedEnds = Ends & { readonly isVerified: boolean };
type Figures = Omit<SchemaHealth, 'dataSourceId' | 'refreshedAt' | 'brokenQueries'>;

const listed = (names: readonly string[]) => ({ count: names.length, items: names.slice(0, listedMax) });
const nameOf = (table: TableMetadata): string => nameOfTable({ schema: table.schema, table: table.name });
const sentenceOf = ({ source, target }: Ends): string =>
  `${nameOfTable(source)} (${source.columns.join(', ')}) to ${nameOfTable(target)} (${target.columns.join(', ')})`;

/** Computes the health of a schema with its relationships. Each list is in the order of the snapshot. */
export function healthOf(schema: Schema, relationships: readonly RatedEnds[]): Figures {
  // Relationships with a missing table are ignored.
  const present = relationships.filter(
    ({ source, target }) =>
      schema.find(source.schema, source.table) && schema.find(target.schema, target.table),
  );
  const components = componentsOf(schema, present);
  const sizes = [...components.values()];
  const touched = new Set(
    present.flatMap(({ source, target }) => [nameOfTable(source), nameOfTable(target)]),
  );
  const tables = schema.tables.filter(({ type }) => type === 'Table');
  return {
    tableCount: schema.tables.length,
    relationshipCount: present.length,
    verifiedCount: present.filter(({ isVerified }) => isVerified).length,
    componentCount: sizes.length,
    largestComponentSize: Math.max(0, ...sizes),
    isolatedTables: listed(schema.tables.map(nameOf).filter((name) => !touched.has(name))),
    junctionTables: listed(junctionsOf(schema, present)),
    withoutPrimaryKey: listed(tables.filter(({ primaryKey }) => primaryKey.length === 0).map(nameOf)),
    unindexedForeignKeys: listed(tables.flatMap(unindexedOf)),
    typeMismatches: listed(present.filter((one) => !doTypesMatch(schema, one)).map(sentenceOf)),
  };
}

/** Returns the sizes of the connected groups of tables, keyed by one table of each group. */
function componentsOf(schema: Schema, relationships: readonly Ends[]): Map<string, number> {
  const parents = new Map(schema.tables.map((table) => [nameOf(table), nameOf(table)]));
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next;
    parents.set(name, root);
    return root;
  };
  for (const { source, target } of relationships)
    parents.set(rootOf(nameOfTable(source)), rootOf(nameOfTable(target)));
  const sizes = new Map<string, number>();
  for (const name of parents.keys()) sizes.set(rootOf(name), (sizes.get(rootOf(name)) ?? 0) + 1);
  return sizes;
}

/** Returns the tables whose key consists of references to at least two other tables. */
function junctionsOf(schema: Schema, relationships: readonly Ends[]): string[] {
  const byTable = new Map<string, Ends[]>();
  for (const one of new Map(relationships.map((ends) => [keyOfEnds(ends), ends])).values()) {
    const name = nameOfTable(one.source);
    byTable.set(name, [...(byTable.get(name) ?? []), one]);
  }
  return schema.tables
    .filter((table) => {
      const ofTable = byTable.get(nameOf(table)) ?? [];
      const ofKey = ofTable.filter(({ source }) =>
        source.columns.every((column) => table.primaryKey.includes(column)),
      );
      const covered = new Set(ofKey.flatMap(({ source }) => source.columns));
      const targets = new Set(ofKey.map(({ target }) => nameOfTable(target)));
      return table.primaryKey.length >= 2 && covered.size === table.primaryKey.length && targets.size >= 2;
    })
    .map(nameOf);
}

/**
 * Returns the declared keys of a table without an index that starts with their columns. Without one, deleting a target
 * row reads the whole table.
 */
function unindexedOf(table: TableMetadata): string[] {
  const indexes = [table.primaryKey, ...table.indexes.map(({ columns }) => columns)];
  return table.foreignKeys
    .filter(
      ({ columns }) =>
        !indexes.some((index) => {
          const first = index.slice(0, columns.length);
          return first.length === columns.length && columns.every((column) => first.includes(column));
        }),
    )
    .map(({ columns }) => `${nameOf(table)} (${columns.join(', ')})`);
}

function doTypesMatch(schema: Schema, { source, target }: Ends): boolean {
  const typeOf = (end: Ends['source'], column: string | undefined): string =>
    schema.find(end.schema, end.table)?.columns.find(({ name }) => name === column)?.databaseType ?? '';
  return source.columns.every((column, at) =>
    mayMatch(typeOf(source, column), typeOf(target, target.columns[at])),
  );
}
