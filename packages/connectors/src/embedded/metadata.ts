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
  contents: Tables,
  choice: MetadataChoice,
): Metadata {
  const shownSchemas = schemas.filter(choice.isWanted);
  const tables = contents.tables.filter((table) => shownSchemas.includes(table.schema));
  return {
    schemas: shownSchemas,
    tables,
    areTablesCut: contents.areTablesCut,
    areColumnsCut: contents.areColumnsCut,
  };
}
