import type { DuckDBConnection } from '@duckdb/node-api';
import type { CatalogueRelation, LineageCatalogue } from '../../lineage/query.ts';

/**
 * Selects the relations with these names. The only views are the service's own views of files and steps. Their columns have
 * the names of the columns in the file.
 */
const relationsStatement = `
  select lower(schema_name), lower(table_name), list(lower(column_name) order by column_index)::json::varchar
    from duckdb_columns()
   where database_name = current_database() and lower(table_name) in (select unnest(string_split($1::varchar, chr(0))))
   group by all`;

const mainSchema = 'main';

/** Reads the catalogue for the tables of a statement. */
export async function readCatalogue(
  connection: DuckDBConnection,
  paths: readonly (readonly string[])[],
): Promise<LineageCatalogue> {
  const names = [...new Set(paths.map((path) => path.at(-1) ?? ''))];
  if (names.length === 0) return () => undefined;
  const result = await connection.runAndReadAll(relationsStatement, [names.join('\0')]);
  const relations = result.getRowsJson().map(([schema, name, columns]) => ({
    schema: String(schema),
    relation: { name: String(name), columns: listOf(String(columns)) },
  }));
  return (path) => relationOf(relations, path);
}

function relationOf(
  relations: readonly { readonly schema: string; readonly relation: CatalogueRelation }[],
  path: readonly string[],
): CatalogueRelation | undefined {
  const name = path.at(-1);
  const schema = path.at(-2);
  const named = relations.filter(({ relation }) => relation.name === name);
  const [only, ...others] =
    schema === undefined
      ? named.filter((entry) => entry.schema === mainSchema || named.length === 1)
      : named.filter((entry) => entry.schema === schema);
  return others.length === 0 ? only?.relation : undefined;
}

function listOf(json: string): string[] {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.map(String) : [];
}
