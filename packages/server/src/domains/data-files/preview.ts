import { ConnectorError, type Connectors } from '@svc/connectors';
import type { FilePreview } from '@svc/contract';
import { type MaskingRules, type RunSql, RunSqlRefusal } from '../../doors/run-sql/index.ts';
import { Refusal } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';

export type FilePreviewDeps = {
  readonly connectors: Connectors;
  readonly runSql: Pick<RunSql, 'run' | 'describeFiles'>;
  readonly masking: MaskingRules;
};

const engine = 'DuckDB';
const shownRowsMax = 20;
/** The types of a large file are found by reading it as a whole. */
const timeoutMs = 60_000;
/** The name of the file in the statement; no data source has this id. */
const [tableName, unsavedId] = ['file', 'preview'];

/**
 * Shows how a file is read under its settings: what was detected, its columns, and its first rows, masked as any result.
 *
 * @throws Refusal `invalid-settings` naming the setting, `file-not-allowed`, or `file-unreadable` naming the line.
 */
export async function previewFile(
  { connectors, runSql, masking }: FilePreviewDeps,
  by: CallerActor,
  file: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<FilePreview> {
  try {
    const connection = connectors.get(engine).settings.parse({ files: [{ ...file, name: tableName }] });
    const [reading] = await runSql.describeFiles({ engine, connection }, { signal, timeoutMs });
    if (!reading) throw new TypeError('The file was not described.');
    const { userId } = by.caller;
    const result = await runSql.run({
      steps: [
        {
          ...{ order: 1, sql: `select * from ${tableName}` },
          dataSource: { id: unsavedId, engine, connection },
        },
      ],
      ...{ masking, signal, limits: { timeoutMs }, rowsWanted: shownRowsMax },
      ...(userId !== null && { callerId: `user ${userId}` }),
    });
    const rows: unknown[][] = [];
    for await (const batch of result.batches) {
      for (let row = 0; row < batch.rowCount && rows.length < shownRowsMax; row++)
        rows.push(batch.columns.map((column) => column[row] ?? null));
      if (rows.length >= shownRowsMax) break;
    }
    const masked = new Set((await result.finished).maskedColumns);
    const columns = result.columns.map(({ name, databaseType }) => ({
      ...{ name, type: databaseType.toUpperCase() },
      isMasked: masked.has(name),
    }));
    return { reading, columns, rows };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The file is all that the request names. */
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
