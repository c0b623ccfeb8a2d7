import { llmFailureTexts } from '../../../gateways/llm/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { recordActorEvent } from '../audit.ts';
import type { Ordered } from '../thinking/start.ts';
import { lockManagedActor, requireFitOwner } from './access.ts';
import type { AiActorsDeps } from './deps.ts';

type Deps = Pick<AiActorsDeps, 'database' | 'rights' | 'acting' | 'starting' | 'audit' | 'llm'>;

/** Orders a think. */
export const createThinkNow =
  (deps: Deps) =>
  (by: CallerActor, id: number): Promise<Ordered> =>
    orderThink(deps, by, id, 'Request', null);

/** Orders a think with feedback on the pending plan. */
export const createRefine =
  (deps: Deps) =>
  (by: CallerActor, id: number, feedback: string): Promise<Ordered> =>
    orderThink(deps, by, id, 'Refinement', feedback);

async function orderThink(
  deps: Deps,
  by: CallerActor,
  id: number,
  origin: 'Request' | 'Refinement',
  text: string | null,
): Promise<Ordered> {
  const absence = await deps.llm.absence();
  return deps.database.transaction(async (tx) => {
    const actor = await lockManagedActor(deps, tx, by.caller, id);
    await requireFitOwner(deps, tx, actor);
    if (absence !== null)
      throw conflict(
        'llm-not-configured',
        `An actor thinks with a language model. ${llmFailureTexts[absence]}`,
      );
    const feedback = text === null ? null : { text, parentPlanId: actor.pendingPlanId };
    const ordered = await deps.starting.byPerson(tx, actor, origin, by.caller, feedback);
    const detail = { thinkId: ordered.thinkId, origin };
    await recordActorEvent(deps.audit, tx, by, 'think_ordered', actor, detail);
    return ordered;
  });
}
