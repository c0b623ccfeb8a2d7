import type { Query } from '@svc/contract';
import { notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { writableQuery } from '../reach.ts';
import { lockRow } from '../store.ts';
import { isVersionOf } from '../version-store.ts';
import { presentSaved, type SavesDeps } from './write.ts';

/**
 * Creates the function that withdraws the caller's own version that waits for approval. The active definition does not
 * change.
 *
 * The function throws the refusal `not-your-request` where another user requested the approval, and `change-over` where
 * the version no longer waits.
 */
export const createWithdraw =
  ({ database, rights, approvals }: Pick<SavesDeps, 'database' | 'rights' | 'approvals'>) =>
  (actor: CallerActor, id: number, versionId: number): Promise<Query> =>
    database.transaction(async (tx) => {
      await lockRow(tx, id);
      const row = await writableQuery(rights, tx, actor.caller, id);
      if (!(await isVersionOf(tx, id, versionId))) throw notFound();
      await approvals.withdrawOwn(tx, actor, row, versionId);
      return presentSaved(tx, actor, id);
    });
