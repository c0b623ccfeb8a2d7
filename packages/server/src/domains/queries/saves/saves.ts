import type { Query } from '@svc/contract';
import type { CallerActor } from '../../audit/index.ts';
import { createCreate, type NewQuery } from './create.ts';
import { createRestore } from './restore.ts';
import { createSetLocked } from './set-locked.ts';
import { createUpdate, type QueryUpdate } from './update.ts';
import { createWithdraw } from './withdraw.ts';
import type { SaveResult, SavesDeps } from './write.ts';

/**
 * Creates the operations that change queries. A save that changes the definition creates exactly one version. Any other
 * save creates none.
 */
export function createSaves(deps: SavesDeps) {
  const { database } = deps;
  const create = createCreate(deps);
  const update = createUpdate(deps);
  return {
    /** Variants of `create` and `update` in the caller's transaction. */
    createIn: create,
    updateIn: update,

    create: async (actor: CallerActor, input: NewQuery): Promise<Query> =>
      (await database.transaction((tx) => create(tx, actor, input))).query,

    update: (
      actor: CallerActor,
      id: number,
      input: QueryUpdate,
      expectedVersion: number | undefined,
    ): Promise<SaveResult> =>
      database.transaction((tx) => update(tx, actor, id, input, { source: 'User', expectedVersion })),

    restore: createRestore(deps),
    withdraw: createWithdraw(deps),
    setLocked: createSetLocked(deps),
  };
}
