import type { Metadata, TableMetadata } from '@svc/connectors';
import type { SchemaChangeKind } from '@svc/contract';

/** One difference between two snapshots of a schema. */
export type Difference = {
  readonly kind: SchemaChangeKind;
  readonly schema: string;
  readonly table: string;
  /** Null for a change of the whole table. */
  readonly column: string | null;
  readonly typeBefore: string | null;
  readonly typeAfter: string | null;
};

const ofTable = (kind: SchemaChangeKind, { schema, name }: TableMetadata): Difference => ({
  kind,
  schema,
  table: name,
  column: null,
  typeBefore: null,
  typeAfter: null,
});

const byName = <T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [nameOf(item), item]));
const tableKey = ({ schema, name }: TableMetadata): string => JSON.stringify([schema, name]);

/**
 * Returns additions, removals and type changes between two snapshots. If a limit cut a snapshot, objects that are
 * missing from it are not reported.
 */
export function differencesOf(before: Metadata, after: Metadata): Difference[] {
  const earlier = byName(before.tables, tableKey);
  const later = byName(after.tables, tableKey);
  const differences: Difference[] = [];
  for (const table of before.tables)
    if (!later.has(tableKey(table)) && !after.areTablesCut) differences.push(ofTable('TableRemoved', table));
  for (const table of after.tables) {
    const earlierTable = earlier.get(tableKey(table));
    if (earlierTable) differences.push(...columnDifferences(earlierTable, table, before, after));
    else if (!before.areTablesCut) differences.push(ofTable('TableAdded', table));
  }
  return differences;
}

function columnDifferences(
  before: TableMetadata,
  after: TableMetadata,
  { areColumnsCut: wereColumnsCut }: Metadata,
  { areColumnsCut }: Metadata,
): Difference[] {
  const earlier = byName(before.columns, ({ name }) => name);
  const later = byName(after.columns, ({ name }) => name);
  const differ = (
    kind: SchemaChangeKind,
    column: string,
    typeBefore: string | null,
    typeAfter: string | null,
  ): Difference => ({ ...ofTable(kind, after), column, typeBefore, typeAfter });
  const removed = areColumnsCut ? [] : before.columns.filter(({ name }) => !later.has(name));
  return [
    ...removed.map(({ name, databaseType }) => differ('ColumnRemoved', name, databaseType, null)),
    ...after.columns.flatMap(({ name, databaseType }) => {
      const earlierColumn = earlier.get(name);
      if (!earlierColumn) return wereColumnsCut ? [] : [differ('ColumnAdded', name, null, databaseType)];
      return earlierColumn.databaseType === databaseType
        ? []
        : [differ('ColumnRetyped', name, earlierColumn.databaseType, databaseType)];
    }),
  ];
}

/** Returns true for removals and type changes. Only these can break a statement. */
export const canBreak = ({ kind }: Difference): boolean => kind !== 'TableAdded' && kind !== 'ColumnAdded';
