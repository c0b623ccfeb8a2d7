import type { ChildPool } from '../embedded/child-pool.ts';
import { startWorker, streamRows } from '../embedded/job.ts';
import type { DuckdbFile, DuckdbResources, JobLimits } from '../embedded/messages.ts';
import type { FilePolicy } from '../files/file-policy.ts';
import type { CallOptions, ExecuteOptions, ResultStream, Statement } from '../port.ts';

export type DuckdbOptions = {
  readonly pool: ChildPool;
  readonly files: FilePolicy;
  readonly resources: DuckdbResources;
};

type StatementJob = {
  /** Files that the statement can read. */
  readonly files: readonly DuckdbFile[];
  /** `isOurs`: the statement is of the service, so it may read the catalogue. */
  readonly statement: Statement & { readonly isOurs?: boolean };
  readonly limits: JobLimits;
  /** The job fails if any of the files is unreadable. Default false. */
  readonly needsAllFiles?: boolean;
};

/** Runs a statement in a child process, in its own instance. */
export async function runStatement(
  { pool, resources }: Pick<DuckdbOptions, 'pool' | 'resources'>,
  { files, statement, limits, needsAllFiles = false }: StatementJob,
  call: CallOptions & Pick<ExecuteOptions, 'wantOrigins'>,
): Promise<ResultStream> {
  const job = {
    type: 'duckdb',
    files,
    needsAllFiles,
    isOurs: statement.isOurs ?? false,
    sql: statement.sql,
    values: statement.values ?? [],
    wantSources: call.wantOrigins ?? false,
    resources,
    limits,
  } as const;
  return streamRows(await startWorker(pool, job, call));
}

/** Limits for statements of the service. */
export const ownLimits: JobLimits = {
  maxRows: 100_000,
  maxBytes: 64 * 1024 * 1024,
  maxCellBytes: 1024 * 1024,
};
