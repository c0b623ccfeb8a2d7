import type { Caller } from '../../../../platform/access/index.ts';
import type { Tx } from '../../../../platform/db/index.ts';
import { conflict, HttpProblem } from '../../../../platform/http/index.ts';
import type { ActorRow } from '../../store.ts';
import type { ActionDefinition, ActionType, DefinitionOf } from '../../thinking/actions.ts';
import { type ActionResult, type ActionRow, markApplied } from '../store.ts';
import { applyArchiveSubscription } from './archive-subscription.ts';
import type { ApplyAction, ApplyContext, ApplyDeps } from './context.ts';
import { applyCreateContract } from './create-contract.ts';
import { applyCreateQuery } from './create-query.ts';
import { applyCreateSubscription } from './create-subscription.ts';
import { applyRefineQuery } from './refine-query.ts';

const appliers: { readonly [T in ActionType]: ApplyAction<T> } = {
  CreateQuery: applyCreateQuery,
  RefineQuery: applyRefineQuery,
  CreateSubscription: applyCreateSubscription,
  ArchiveSubscription: applyArchiveSubscription,
  CreateContract: applyCreateContract,
};

type ReasonedAction = ActionDefinition & { readonly reasoning: string };
type Acting = { readonly actor: ActorRow; readonly as: Caller };

/** Applies proved actions as the owner of their actor. The caller's transaction has the lock of the actor. */
export const createApply = (deps: ApplyDeps) => ({
  /** Applies one action outside a plan, without approval. */
  one: (tx: Tx, { actor, as }: Acting, action: ReasonedAction): Promise<ActionResult> =>
    applyAction(deps, tx, action.type, action, {
      actor,
      by: { caller: as },
      isApproved: false,
      createdQueries: new Map(),
    }),

  /** Applies the actions of an approved plan in order. An error leaves none of them applied. */
  all: async (tx: Tx, { actor, as }: Acting, actions: readonly ActionRow[]): Promise<void> => {
    const context = { actor, by: { caller: as }, isApproved: true, createdQueries: new Map() };
    for (const { id, definition, reasoning } of actions) {
      const action = { ...definition, reasoning };
      const result = await applyAction(deps, tx, action.type, action, context);
      await markApplied(tx, id, result);
    }
  },
});

async function applyAction<T extends ActionType>(
  deps: ApplyDeps,
  tx: Tx,
  type: T,
  action: DefinitionOf<T> & { readonly reasoning: string },
  context: ApplyContext,
): Promise<ActionResult> {
  try {
    return await appliers[type](deps, tx, action, context);
  } catch (error) {
    throw asPlanRefusal(error, type);
  }
}

/** Codes about the plan itself. All other codes are refusals to the owner, reported as `plan-not-applied`. */
const planCodes: ReadonlySet<string> = new Set([
  'plan-stale',
  'plan-not-applied',
  'query-locked',
  'actor-limit-reached',
  'invalid-plan-choice',
]);

function asPlanRefusal(error: unknown, type: ActionType): unknown {
  if (!(error instanceof HttpProblem) || planCodes.has(error.code ?? '')) return error;
  return conflict(
    'plan-not-applied',
    `${type} was refused to the owner of the actor: ${error.detail ?? error.title}`,
  );
}
