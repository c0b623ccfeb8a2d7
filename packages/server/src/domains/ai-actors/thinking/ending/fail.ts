import type { Database } from '../../../../platform/db/index.ts';
import { lockActor, noteThink } from '../../store.ts';
import { endThink, findThink } from '../store.ts';
import type { Thought } from '../thought.ts';
import { type StopDeps, stopActor } from './stop-actor.ts';

/** Consecutive failed thinks after which the actor fails. */
const failedThinksMax = 3;
/** Failures that do not count against the actor: they are temporary, or a budget caused them. */
const uncountedCodes: ReadonlySet<string> = new Set([
  'BudgetSpent',
  'TooManyCalls',
  'RateLimited',
  'Overloaded',
  'Cancelled',
]);

/** Stores a failed think. The third consecutive failure fails the actor. */
export const createFail =
  (deps: StopDeps & { readonly database: Database }) =>
  (
    thinkId: number,
    { code, message }: { readonly code: string; readonly message: string },
    { tokens, model }: Partial<Thought>,
  ): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const think = await findThink(tx, thinkId);
      const actor = think && (await lockActor(tx, think.actorId));
      const usage = { ...(tokens && { tokens }), ...(model !== undefined && { model }) };
      const end = { state: 'Failed', failure: { code, message }, ...usage } as const;
      if (!actor || !(await endThink(tx, thinkId, end))) return;
      if (uncountedCodes.has(code)) return;
      const failedThinks = await noteThink(tx, actor.id, message);
      if (actor.state === 'Active' && failedThinks >= failedThinksMax)
        await stopActor(deps, tx, actor, 'Failed', { failure: message });
    });
