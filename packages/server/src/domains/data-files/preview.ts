import { ConnectorError, type Connectors } from '@svc/connectors';
import type { FilePreview } from '@svc/contract';
import { type MaskingRules, type RunSql, RunSqlRefusal } from '../../gateways/run-sql/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { Refusal } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';

export type FilePreviewDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly connectors: Connectors;
  readonly runSql: Pick<RunSql, 'run' | 'describeFiles'>;
  /**
   * Masks personal data regardless of the masking setting of other results: the caller needs no access to any project.
   */
  readonly masking: Omit<MaskingRules, 'isEnabled'>;
};

const engine = 'DuckDB';
const shownRowsMax = 20;
/** Type detection reads a large file completely. */
const timeoutMs = 60_000;
/** Table name of the file in the statement, and an id that no data source has. */
const [tableName, unsavedId] = ['file', 'preview'];

/**
 * Shows how an engine reads a file under the given settings: detected options, columns and first rows, masked as all
 * results.
 *
 * @throws Refusal `invalid-settings` with the setting, `file-not-allowed`, or `file-unreadable` with the line.
 */
export async function previewFile(
  { database, audit, connectors, runSql, masking }: FilePreviewDeps,
  by: CallerActor,
  file: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<FilePreview> {
  try {
    const connection = connectors.get(engine).settings.parse({ files: [{ ...file, name: tableName }] });
    const callerId = `user ${by.caller.userId}`;
    const [reading] = await runSql.describeFiles({ engine, connection }, { callerId, signal, timeoutMs });
    if (!reading) throw new TypeError('The file was not described.');
    const result = await runSql.run({
      steps: [
        {
          order: 1,
          sql: `select * from ${tableName}`,
          dataSource: { id: unsavedId, engine, connection },
        },
      ],
      masking: { ...masking, isEnabled: true },
      signal,
      limits: { timeoutMs },
      rowsWanted: shownRowsMax,
      callerId,
    });
    const rows: unknown[][] = [];
    for await (const batch of result.batches) {
      for (let row = 0; row < batch.rowCount && rows.length < shownRowsMax; row++)
        rows.push(batch.columns.map((column) => column[row] ?? null));
      if (rows.length >= shownRowsMax) break;
    }
    const masked = new Set((await result.finished).maskedColumns);
    const columns = result.columns.map(({ name, databaseType }) => ({
      name,
      type: typeText(databaseType),
      isMasked: masked.has(name),
    }));
    await database.transaction((tx) =>
      audit.record(tx, { event: 'data_sources.file_previewed', by, detail: { path: String(file['path']) } }),
    );
    return { reading, columns, rows };
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Returns the type in the spelling of the settings. Names inside a type, such as fields of a struct, retain their case.
 */
const typeText = (type: string): string => (/^[a-z0-9 (),_]+$/.test(type) ? type.toUpperCase() : type);

/** Maps connector and run-SQL errors to refusals. Their paths start with `/file`, the only member of the request. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ConnectorError)
    return new Refusal(error.code, {
      detail: error.message,
      errors: (error.fields ?? []).map(({ field, message }) => ({
        path: `/file/${field.replace(/^files\.0\.?/, '').replaceAll('.', '/')}`.replace(/\/$/, ''),
        message,
      })),
    });
  if (error instanceof RunSqlRefusal)
    return new Refusal(error.code, {
      detail: error.message,
      errors: [{ path: '/file', message: error.message }],
    });
  return error;
}
