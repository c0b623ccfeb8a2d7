import type {
  DataSourceMetadata,
  MigrationPreview,
  MigrationPreviewInput,
  MigrationTables,
} from '@svc/contract';
import { type CopyData, CopyRefusal } from '../../gateways/copy-data/index.ts';
import { type DataSourceTarget, type RunSql, RunSqlRefusal } from '../../gateways/run-sql/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { badRequest, notFound, Refusal } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { targetOf } from '../data-sources/index.ts';
import { copyDefinitionOf, type Opening } from './copy-request.ts';
import { assertMayCopy, definitionOf } from './definition.ts';
import { presentInspection } from './present.ts';
import { readSources } from './store.ts';

export type MigrationPreviewsDeps = Opening & {
  readonly database: Database;
  readonly audit: Audit;
  readonly copyData: Pick<CopyData, 'canWrite' | 'inspect' | 'inspectSource' | 'sourceText'>;
  readonly runSql: Pick<RunSql, 'run'>;
  /** Returns the stored tables of a live data source; reads them when no snapshot exists. */
  readonly snapshotOf: (dataSourceId: number) => Promise<DataSourceMetadata>;
};

export type MigrationPreviewsService = ReturnType<typeof createMigrationPreviewsService>;

const lookTimeoutMs = 30_000;
/** Rows shown in a preview of a source. */
const shownRowsMax = 50;

type Looked = Omit<MigrationPreview, 'rows'>;

/** Creates the previews of both sides for the job form. They store and write nothing. */
export function createMigrationPreviewsService(deps: MigrationPreviewsDeps) {
  const { database, copyData } = deps;

  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CopyRefusal || error instanceof RunSqlRefusal)) throw error;
      throw new Refusal('migration-source-failed', { detail: error.message });
    }
  };

  const openSource = async (id: number) => {
    const [source] = await deps.openDataSources(database, [id]);
    if (!source) throw notFound();
    return targetOf(source);
  };

  const lookAtSource = async (input: MigrationPreviewInput, signal: AbortSignal): Promise<Looked> => {
    const columns = await copyData.inspectSource(
      {
        source: input.source as Parameters<CopyData['inspectSource']>[0]['source'],
        dataSource: await openSource(input.dataSourceId),
        personalData: input.personalData ?? 'Refuse',
        masking: { customPatterns: deps.personalPatterns },
      },
      { signal, timeoutMs: lookTimeoutMs },
    );
    return { sourceColumns: [...columns], destinationColumns: null, validation: null };
  };

  const lookAtBoth = async (
    { destinationDataSourceId, destination, ...input }: MigrationPreviewInput,
    signal: AbortSignal,
  ): Promise<Looked> => {
    if (destinationDataSourceId === undefined || destination === undefined) {
      return lookAtSource(input, signal);
    }
    await assertWritable(destinationDataSourceId);
    const { withRows: _withRows, ...rest } = input;
    const job = definitionOf({
      ...rest,
      destinationDataSourceId,
      destination,
      name: 'preview',
      mode: input.mode ?? 'Insert',
    });
    const definition = await copyDefinitionOf(database, deps, job, null);
    const inspection = await copyData.inspect(definition, { signal, timeoutMs: lookTimeoutMs });
    return {
      sourceColumns: [...inspection.sourceColumns],
      destinationColumns:
        inspection.destinationColumns?.map(({ name, databaseType, isNullable, isGenerated }) => ({
          name,
          isNullable,
          isGenerated,
          type: databaseType,
        })) ?? null,
      validation: presentInspection(inspection),
    };
  };

  const assertWritable = async (id: number): Promise<void> => {
    const [destination] = await readSources(database, [id]);
    if (!destination) throw notFound();
    if (copyData.canWrite(destination.engine)) return;
    throw badRequest('destination-not-writable', `${destination.engine} can only be read.`, [
      { path: '/destinationDataSourceId', message: 'cannot be written to' },
    ]);
  };

  /** Masks personal data regardless of the job's setting, because a user sees these rows. */
  const firstRows = async (
    by: CallerActor,
    input: MigrationPreviewInput,
    signal: AbortSignal,
  ): Promise<MigrationPreview['rows']> => {
    const dataSource = await openSource(input.dataSourceId);
    const source = input.source as Parameters<CopyData['sourceText']>[0];
    const { userId } = by.caller;
    const result = await deps.runSql.run({
      steps: [{ order: 1, dataSource, sql: copyData.sourceText(source, dataSource.engine) }],
      masking: { isEnabled: true, customPatterns: deps.personalPatterns },
      limits: { timeoutMs: lookTimeoutMs },
      rowsWanted: shownRowsMax,
      signal,
      ...(userId !== null && { callerId: `user ${userId}` }),
    });
    const rows: unknown[][] = [];
    let read = 0;
    for await (const batch of result.batches) {
      for (let row = 0; row < batch.rowCount && rows.length < shownRowsMax; row++)
        rows.push(batch.columns.map((column) => column[row] ?? null));
      read += batch.rowCount;
      // Leaving the loop ends the statement.
      if (read > shownRowsMax) break;
    }
    const { maskedColumns, maskingReasons } = await result.finished;
    const masked = new Set(maskedColumns);
    return {
      columns: result.columns.map(({ name, kind, databaseType }) => ({
        name,
        kind,
        databaseType,
        isMasked: masked.has(name),
        maskedReason: maskingReasons.get(name) ?? null,
      })),
      rows,
      isComplete: read <= shownRowsMax,
    };
  };

  return {
    /** Returns the tables that a job can use. */
    tables: async (dataSourceId: number): Promise<MigrationTables> => {
      const { refreshedAt, schemas, tables, areTablesCut } = await deps.snapshotOf(dataSourceId);
      return {
        refreshedAt,
        schemas,
        tables: tables.map(({ schema, name, type }) => ({ schema, name, type })),
        areTablesCut: areTablesCut || refreshedAt === null,
        fileNames: fileNamesOf(await openSource(dataSourceId)),
      };
    },

    /** The audit records shown rows: the caller needs no access to a project of the source. */
    preview: async (
      by: CallerActor,
      input: MigrationPreviewInput,
      signal: AbortSignal,
    ): Promise<MigrationPreview> => {
      assertMayCopy(by.caller, { personalData: input.personalData ?? 'Refuse' });
      return asking(async () => {
        const looked = await lookAtBoth(input, signal);
        if (!input.withRows) return { ...looked, rows: null };
        const rows = await firstRows(by, input, signal);
        await database.transaction((tx) =>
          deps.audit.record(tx, {
            by,
            event: 'migrations.source_previewed',
            subject: { kind: 'data_source', id: input.dataSourceId },
            detail: { source: input.source },
          }),
        );
        return { ...looked, rows };
      });
    },
  };
}

/** Returns file names without their folders. */
function fileNamesOf({ engine, connection }: DataSourceTarget): string[] | null {
  if (engine !== 'DuckDB') return null;
  const { files } = connection as { readonly files: readonly { readonly name: string }[] };
  return files.map(({ name }) => name);
}
