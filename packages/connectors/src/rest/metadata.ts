import { ConnectorError } from '../error.ts';
import { metadataChoice } from '../metadata-choice.ts';
import type { Metadata, MetadataOptions, TableMetadata } from '../port.ts';
import { parseOpenApi } from './openapi.ts';
import type { RestConnection } from './settings.ts';

/** The one schema of all endpoints: an API has no schemas. */
const schemaName = 'api';

/** Returns the selected endpoints as tables, with the columns of the document. It sends no request. */
export async function readRestMetadata(
  { endpoints, openApi }: RestConnection,
  options: MetadataOptions,
): Promise<Metadata> {
  if (options.signal.aborted) throw new ConnectorError('cancelled', 'The run was cancelled.');
  const choice = metadataChoice(options);
  const isWanted = choice.isWanted(schemaName);
  const document = openApi === undefined ? undefined : parseOpenApi(openApi);
  const sorted = isWanted ? [...endpoints].sort() : [];
  let areColumnsCut = false;
  const tables = sorted.slice(0, choice.maxTables).map((path): TableMetadata => {
    const operation = document?.operations.get(path);
    const columns = choice.tableNamesOnly ? [] : (operation?.columns ?? []);
    areColumnsCut ||= columns.length > choice.maxColumnsPerTable;
    return {
      schema: schemaName,
      name: path,
      type: 'Table',
      comment: commentOf(operation?.summary ?? null, operation?.rows ?? null),
      columns: columns.slice(0, choice.maxColumnsPerTable).map(({ name, type, isNullable, comment }) => ({
        name,
        databaseType: type,
        isNullable,
        defaultValue: null,
        comment,
      })),
      primaryKey: [],
      foreignKeys: [],
      indexes: [],
    };
  });
  return {
    schemas: isWanted ? [schemaName] : [],
    tables,
    areTablesCut: sorted.length > choice.maxTables,
    areColumnsCut,
  };
}

/** Returns a comment with the purpose of the endpoint and the path of its rows. */
function commentOf(summary: string | null, rows: string | null): string | null {
  const place = rows === null || rows === '' ? null : `Rows at ${rows}.`;
  const parts = [summary, place].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}
