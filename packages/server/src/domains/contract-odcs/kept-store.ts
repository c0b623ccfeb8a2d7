import type { Executor, Tx } from '../../platform/db/index.ts';
import { type Kept, nothingKept } from './kept.ts';

/** Reads the retained parts of a contract's imported document. */
export async function findKept(executor: Executor, contractId: number): Promise<Kept> {
  const { rows } = await executor.query<{ kept: Kept | null }>(
    'select odcs as kept from svc.data_contracts where id = $1',
    [contractId],
  );
  return rows[0]?.kept ?? nothingKept;
}

export async function saveKept(tx: Tx, contractId: number, kept: Kept): Promise<void> {
  await tx.query('update svc.data_contracts set odcs = $2 where id = $1', [contractId, JSON.stringify(kept)]);
}
