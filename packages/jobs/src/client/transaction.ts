import type pg from 'pg';
import { guardPool, isPool } from '../db/connections.ts';
import type { Executor } from './executor.ts';

/**
 * Runs several statements atomically: in the caller's transaction, or in a new one when the executor is a pool.
 * Statements on a pool would otherwise run on different connections and commit separately.
 */
export async function asTransaction<T>(
  executor: Executor,
  ownPool: { readonly executor: Executor; readonly pool: pg.Pool },
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const pool = executor === ownPool.executor ? ownPool.pool : isPool(executor) ? executor : null;
  if (!pool) return work(executor);
  // The caller's pool may have no error listeners.
  guardPool(pool);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      // A connection that cannot roll back is removed from the pool.
      (cause) => client.release(cause instanceof Error ? cause : true),
    );
    throw error;
  }
}
