import type { MetadataChoice } from '../metadata-choice.ts';
import type { Metadata, TableMetadata } from '../port.ts';

type Tables = {
  readonly tables: readonly TableMetadata[];
  readonly areTablesCut: boolean;
  readonly areColumnsCut: boolean;
};

/** Applies the caller's choice of schemas. File engines have one schema, so the result is that schema or nothing. */
export function dropUnwantedSchemas(
  schemas: readonly string[],
  found: Tables,
  choice: MetadataChoice,
): Metadata {
  const wanted = schemas.filter(choice.isWanted);
  const tables = found.tables.filter((table) => wanted.includes(table.schema));
  return { schemas: wanted, tables, areTablesCut: found.areTablesCut, areColumnsCut: found.areColumnsCut };
}
