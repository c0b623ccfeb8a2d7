import type { ChildPool } from '../../embedded/child-pool.ts';
import { startWorker, streamRows, type Worker } from '../../embedded/job.ts';
import type { DuckdbResources, ToChild } from '../../embedded/messages.ts';
import { ConnectorError } from '../../error.ts';
import type { CallOptions, ExecuteOptions, ResultStream, Statement } from '../../port.ts';
import { assertOneRead } from '../../sql/read-only-gate.ts';
import type { Batch, Column } from '../../values.ts';
import { duckdbRules } from '../rules.ts';

/** Table for the rows of one step. */
export type JoinTable = {
  /** Resolves after the rows are in the table, so that a waiting caller reads no faster than the join loads. */
  readonly append: (batch: Batch) => Promise<void>;
  readonly finish: () => Promise<void>;
};

/**
 * New DuckDB instance in a child process. Results of steps become tables, and one query runs over them. The rules of a
 * DuckDB data source apply to the query. It cannot access any file.
 */
export type Join = {
  /** Creates a table with a second name `alias`. A table without rows has its columns. */
  readonly createTable: (
    name: string,
    alias: string | null,
    columns: readonly Column[],
  ) => Promise<JoinTable>;
  /** Runs the query. The join ends after the last row. */
  readonly query: (
    statement: Statement,
    options: Pick<ExecuteOptions, 'maxRows' | 'maxBytes' | 'maxCellBytes' | 'wantOrigins'>,
  ) => Promise<ResultStream>;
  /** Ends a join whose query was not started. */
  readonly close: () => void;
};

/** Refuses a final query that is not exactly one read. Runs nothing. */
export function assertJoinQuery(sql: string): void {
  assertOneRead(sql, duckdbRules);
}

/** Starts a join. The time limit and the signal end its process. */
export async function startJoin(
  pool: ChildPool,
  resources: DuckdbResources,
  options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'pauses'>,
): Promise<Join> {
  const worker = await startWorker(pool, { type: 'join', resources }, options);

  return {
    createTable: async (table, alias, columns) => {
      await request(worker, { type: 'create-table', table, columns });
      return {
        append: (batch) => request(worker, { type: 'append', batch }),
        finish: () => request(worker, { type: 'finish-table', alias }),
      };
    },
    query: async (statement, { maxRows, maxBytes, maxCellBytes, wantOrigins = false }) => {
      assertJoinQuery(statement.sql);
      const limits = { maxRows, maxBytes, maxCellBytes };
      const { sql, values = [] } = statement;
      worker.child.send({ type: 'query', sql, values, wantSources: wantOrigins, limits });
      return streamRows(worker);
    },
    close: () => worker.leave(false),
  };
}

/** Sends a message and waits for its acceptance. At most one message is in progress. */
async function request(worker: Worker, message: ToChild): Promise<void> {
  try {
    worker.child.send(message);
    const answer = await worker.receive();
    if (answer.type === 'accepted') return;
    throw new ConnectorError('engine-unavailable', `The join answered ${answer.type} out of turn.`);
  } catch (error) {
    worker.leave(false);
    throw error;
  }
}
