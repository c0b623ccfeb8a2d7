import type { Query } from '@svc/contract';
import type { CallerActor } from '../../audit/index.ts';
import { writableQuery } from '../reach.ts';
import { lockRow, setLocked } from '../store.ts';
import { addQueryChange } from '../version-store.ts';
import { presentSaved, type SavesDeps } from './write.ts';

/** Creates the function that locks or unlocks a query. It creates no version. */
export const createSetLocked =
  ({ database, rights, audit }: Pick<SavesDeps, 'database' | 'rights' | 'audit'>) =>
  (actor: CallerActor, id: number, isLocked: boolean): Promise<Query> =>
    database.transaction(async (tx) => {
      await lockRow(tx, id);
      const row = await writableQuery(rights, tx, actor.caller, id);
      if (await setLocked(tx, id, isLocked, actor.caller.userId))
        await addQueryChange(tx, id, isLocked ? 'Locked' : 'Unlocked', actor.caller.userId);
      await audit.record(tx, {
        by: actor,
        event: isLocked ? 'queries.query_locked' : 'queries.query_unlocked',
        subject: { kind: 'query', id },
        projectId: row.projectId,
      });
      return presentSaved(tx, actor, id);
    });
