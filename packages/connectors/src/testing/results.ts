import { ConnectorError } from '../error.ts';
import type { ResultStream } from '../port.ts';
import type { Cell } from '../values.ts';

/** Returns all rows of a result, for tests. */
export async function rowsOf(result: Pick<ResultStream, 'batches'>): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for await (const batch of result.batches) {
    for (let r = 0; r < batch.rowCount; r++) rows.push(batch.columns.map((column) => column[r] ?? null));
  }
  return rows;
}

/** Returns the connector's error with which a promise rejects, for tests. */
export async function errorOf(promise: Promise<unknown>): Promise<ConnectorError> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
  throw new Error(`It was expected to fail, but came to ${JSON.stringify(outcome)}.`);
}
