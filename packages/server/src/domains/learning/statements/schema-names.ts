import type { Metadata } from '@svc/connectors';

export type NamedTable = {
  /** `schema.table`, or the table alone for an engine without schemas. */
  readonly name: string;
  readonly bare: string;
  readonly schema: string;
  readonly hasComment: boolean;
  /** Columns by lower-case name. */
  readonly columns: ReadonlyMap<string, string>;
};

/** Names of a schema, with case-insensitive lookup. */
export type SchemaNames = {
  /** Returns tables by name without schema. */
  readonly tablesOf: (bare: string) => readonly NamedTable[];
  readonly table: (name: string) => NamedTable | undefined;
  readonly hasColumn: (name: string) => boolean;
};

export function schemaNames(tables: Metadata['tables']): SchemaNames {
  const all = tables.map(
    ({ schema, name, comment, columns }): NamedTable => ({
      name: schema === '' ? name : `${schema}.${name}`,
      bare: name,
      schema,
      hasComment: Boolean(comment?.trim()),
      columns: new Map(columns.map((column) => [column.name.toLowerCase(), column.name])),
    }),
  );
  const byBare = Map.groupBy(all, ({ bare }) => bare.toLowerCase());
  const byName = new Map(all.map((table) => [table.name.toLowerCase(), table]));
  const columns = new Set(all.flatMap((table) => [...table.columns.keys()]));
  return {
    tablesOf: (bare) => byBare.get(bare.toLowerCase()) ?? [],
    table: (name) => byName.get(name.toLowerCase()),
    hasColumn: (name) => columns.has(name.toLowerCase()),
  };
}
