import type { Deadline } from '../../deadline.ts';
import { collectValues, startWorker } from '../../embedded/job.ts';
import { makeTemporaryFolder } from '../../embedded/temporary-folder.ts';
import { ConnectorError } from '../../error.ts';
import type { FilesEngineOptions } from '../index.ts';

/** Runs statements on files in a separate process with limits for memory, temporary space and threads. */
export type FilesEngine = {
  /** Returns the rows of each statement. Statements can read and write only the files in `paths`. */
  readonly run: (paths: readonly string[], statements: readonly string[]) => Promise<unknown[][][]>;
};

/** @param deadline  ends the process, even during a statement. */
export const createFilesEngine = (
  { pool, resources, temporaryParent }: FilesEngineOptions,
  deadline: Pick<Deadline, 'signal' | 'remainingMs'>,
): FilesEngine => ({
  run: async (paths, statements) => {
    const folder = await makeTemporaryFolder(temporaryParent);
    const job = {
      type: 'duckdb-files',
      paths,
      statements,
      resources,
      temporaryFolder: folder.path,
    } as const;
    const worker = await startWorker(pool, job, {
      signal: deadline.signal,
      timeoutMs: deadline.remainingMs(),
      onLeave: folder.remove,
    });
    const results = await collectValues(worker);
    if (!results.every(isRows))
      throw new ConnectorError('engine-unavailable', 'The engine’s process sent no rows.');
    return results;
  },
});

const isRows = (value: unknown): value is unknown[][] => Array.isArray(value) && value.every(Array.isArray);
