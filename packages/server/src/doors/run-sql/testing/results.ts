import type { Cell } from '@svc/connectors';
import { RunSqlRefusal } from '../refusal.ts';
import type { RunResult } from '../request.ts';

/** All rows of a result, for tests. */
export async function rowsOf(result: Pick<RunResult, 'batches'>): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for await (const batch of result.batches) {
    for (let r = 0; r < batch.rowCount; r++) rows.push(batch.columns.map((column) => column[r] ?? null));
  }
  return rows;
}

/** The refusal that a promise rejects with, for tests. */
export async function refusalOf(promise: Promise<unknown>): Promise<RunSqlRefusal> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof RunSqlRefusal) return error;
    throw error;
  }
  throw new Error('It was expected to be refused.');
}
