import type { Cell } from '@svc/connectors';
import { RunSqlRefusal } from '../refusal.ts';
import type { RunResult } from '../request.ts';

/** Returns all rows of a result. */
export async function rowsOf(result: Pick<RunResult, 'batches'>): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for await (const batch of result.batches) {
    for (let r = 0; r < batch.rowCount; r++) rows.push(batch.columns.map((column) => column[r] ?? null));
  }
  return rows;
}

/** Returns the refusal with which a promise rejects. */
export async function refusalOf(promise: Promise<unknown>): Promise<RunSqlRefusal> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof RunSqlRefusal) return error;
    throw error;
  }
  throw new Error('It was expected to be refused.');
}
