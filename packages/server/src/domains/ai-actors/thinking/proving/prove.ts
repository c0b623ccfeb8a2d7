import { plural } from '@svc/contract';
import { HttpProblem } from '../../../../platform/http/index.ts';
import type { ActionType, ProvedAction } from '../actions.ts';
import type { ModelAction } from '../prompt.ts';
import type { Discarded } from '../store.ts';
import { proveArchiveSubscription } from './archive-subscription.ts';
import {
  type ActorContext,
  type ProofContext,
  type ProveAction,
  type ProveDeps,
  refusal,
  Unproved,
} from './context.ts';
import { proveCreateContract } from './create-contract.ts';
import { proveCreateQuery } from './create-query.ts';
import { proveCreateSubscription } from './create-subscription.ts';
import { proveRefineQuery } from './refine-query.ts';

const proofs: { readonly [T in ActionType]: ProveAction<T> } = {
  CreateQuery: proveCreateQuery,
  RefineQuery: proveRefineQuery,
  CreateSubscription: proveCreateSubscription,
  ArchiveSubscription: proveArchiveSubscription,
  CreateContract: proveCreateContract,
};

/**
 * Checks the proposals of a model in order. Code alone proves each action, which may build on earlier ones. A refused
 * action gets a reason. Nothing is changed.
 */
export const createProve =
  (deps: ProveDeps) =>
  async (
    context: ActorContext,
    actions: readonly ModelAction[],
    call: ProofContext['call'],
  ): Promise<{ readonly proved: readonly ProvedAction[]; readonly discarded: readonly Discarded[] }> => {
    const { maxActionsPerPlan } = context.actor;
    const proved: ProvedAction[] = [];
    const discarded: Discarded[] = [];
    for (const action of actions) {
      call.signal.throwIfAborted();
      const { type, reasoning } = action;
      try {
        if (proved.length >= maxActionsPerPlan)
          throw refusal(`A plan of the actor has at most ${plural(maxActionsPerPlan, 'action')}.`);
        const proof = await proofs[type](deps, action, { ...context, earlier: proved, call });
        proved.push({ reasoning, ...proof });
      } catch (error) {
        const problem = problemOf(error);
        if (problem === undefined) throw error;
        discarded.push({ type, reasoning, problem });
      }
    }
    return { proved, discarded };
  };

/** Returns the reason for a refused action, or undefined for an error that is not about the action. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof Unproved) return error.message;
  return error instanceof HttpProblem ? (error.detail ?? error.title) : undefined;
}
