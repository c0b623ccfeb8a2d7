import type { ChildPool } from '../embedded/child-pool.ts';
import { startWorker, streamRows, type Worker } from '../embedded/job.ts';
import type { DuckdbResources, ToChild } from '../embedded/messages.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions, ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import type { Batch, Column } from '../values.ts';
import { duckdbRules } from './rules.ts';

/** Where the rows of one step go. */
export type JoinTable = {
  /** Resolves when the rows are in the table, so that a caller that waits reads no faster than they are loaded. */
  readonly append: (batch: Batch) => Promise<void>;
  readonly finish: () => Promise<void>;
};

/**
 * A fresh DuckDB instance in a child process, where the results of steps become tables and one query runs over them.
 * Its statement obeys the same rules as a DuckDB data source; it reaches no file at all.
 */
export type Join = {
  /** Makes a table; `alias` is a second name for it. A table without rows keeps its columns. */
  readonly createTable: (
    name: string,
    alias: string | null,
    columns: readonly Column[],
  ) => Promise<JoinTable>;
  /** Runs the query; the join ends with its rows. */
  readonly query: (
    statement: Statement,
    options: Pick<ExecuteOptions, 'maxRows' | 'maxBytes' | 'maxCellBytes' | 'wantOrigins'>,
  ) => Promise<ResultStream>;
  /** Ends a join whose query was not started. Never rejects. */
  readonly close: () => void;
};

/** Refuses a final query that is not one read, before anything is run. */
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

/** Sends and waits until it is done: one message under way at a time. */
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
