import type {
  DataSourceMetadata,
  MigrationPreview,
  MigrationPreviewInput,
  MigrationTables,
} from '@svc/contract';
import { type CopyData, CopyRefusal } from '../../../gateways/copy-data/index.ts';
import { type DataSourceTarget, type RunSql, RunSqlRefusal } from '../../../gateways/run-sql/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { Refusal } from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import type { Opening } from '../copy-request.ts';
import { assertMayCopy } from '../definition.ts';
import { firstRows } from './first-rows.ts';
import { inspectSides } from './inspect.ts';
import { openSource } from './open-source.ts';

export type MigrationPreviewsDeps = Opening & {
  readonly database: Database;
  readonly audit: Audit;
  readonly copyData: Pick<CopyData, 'canWrite' | 'inspect' | 'inspectSource' | 'sourceText'>;
  readonly runSql: Pick<RunSql, 'run'>;
  /** Returns the stored tables of a live data source; reads them when no snapshot exists. */
  readonly snapshotOf: (dataSourceId: number) => Promise<DataSourceMetadata>;
};

export type MigrationPreviewsService = ReturnType<typeof createMigrationPreviewsService>;

/** Converts errors of a data source to the refusal `migration-source-failed`. */
const withSourceErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CopyRefusal || error instanceof RunSqlRefusal)) throw error;
    throw new Refusal('migration-source-failed', { detail: error.message });
  }
};

/** Creates the previews of both sides for the job form. They store and write nothing. */
export function createMigrationPreviewsService(deps: MigrationPreviewsDeps) {
  return {
    /** Returns the tables that a job can use. */
    tables: async (dataSourceId: number): Promise<MigrationTables> => {
      const { refreshedAt, schemas, tables, areTablesCut } = await deps.snapshotOf(dataSourceId);
      return {
        refreshedAt,
        schemas,
        tables: tables.map(({ schema, name, type }) => ({ schema, name, type })),
        areTablesCut: areTablesCut || refreshedAt === null,
        fileNames: fileNamesOf(await openSource(deps, dataSourceId)),
      };
    },

    /** The audit records shown rows: the caller needs no access to a project of the source. */
    preview: async (
      by: CallerActor,
      input: MigrationPreviewInput,
      signal: AbortSignal,
    ): Promise<MigrationPreview> => {
      assertMayCopy(by.caller, { personalData: input.personalData ?? 'Refuse' });
      return withSourceErrors(async () => {
        const inspected = await inspectSides(deps, input, signal);
        if (!input.withRows) return { ...inspected, rows: null };
        const rows = await firstRows(deps, by, input, signal);
        await deps.database.transaction((tx) =>
          deps.audit.record(tx, {
            by,
            event: 'migrations.source_previewed',
            subject: { kind: 'data_source', id: input.dataSourceId },
            detail: { source: input.source },
          }),
        );
        return { ...inspected, rows };
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
