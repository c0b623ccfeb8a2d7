import type { Metadata, TableMetadata } from '@svc/connectors';
import type { Cardinality, RelationshipEnd } from '@svc/contract';
import type { ProposedRelationship } from '../types.ts';

/** Tables of a snapshot by schema and name. */
export type Schema = {
  readonly tables: readonly TableMetadata[];
  readonly find: (schema: string, table: string) => TableMetadata | undefined;
};

const keyOf = (schema: string, table: string): string => JSON.stringify([schema, table]);

export function schemaOf({ tables }: Pick<Metadata, 'tables'>): Schema {
  const byName = new Map(tables.map((table) => [keyOf(table.schema, table.name), table]));
  return { tables, find: (schema, table) => byName.get(keyOf(schema, table)) };
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((column) => other.includes(column));

/** Returns `OneToOne` if the columns of the source end are unique on their own, otherwise `ManyToOne`. */
export function cardinalityOf(table: TableMetadata, columns: readonly string[]): Cardinality {
  const isUnique =
    isSameSet(table.primaryKey, columns) ||
    table.indexes.some((index) => index.isUnique && isSameSet(index.columns, columns));
  return isUnique ? 'OneToOne' : 'ManyToOne';
}

const suffix = /(_id|_fk|_key|Id|ID)$/;

/** Returns the label of a reference: its columns without their key suffixes. */
export function labelOf({ columns }: RelationshipEnd): string {
  return columns
    .map((column) => column.replace(suffix, '') || column)
    .join(', ')
    .slice(0, 200);
}

/** Returns the relationships that the database declares, each once. */
export function declaredIn({ tables, find }: Schema): ProposedRelationship[] {
  return tables.flatMap((table) =>
    table.foreignKeys
      // A reference to a table outside the snapshot cannot be shown.
      .filter((key) => find(key.toSchema, key.toTable) && key.columns.length === key.toColumns.length)
      .map((key) => {
        const source = { schema: table.schema, table: table.name, columns: [...key.columns] };
        return {
          source,
          target: { schema: key.toSchema, table: key.toTable, columns: [...key.toColumns] },
          label: labelOf(source),
          cardinality: cardinalityOf(table, key.columns),
          confidence: 1,
        };
      }),
  );
}
