import { type Llm, llmFailureTexts } from '../../../gateways/llm/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/index.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import { hasPart, mayManage } from '../access.ts';
import type { Acting } from '../owner.ts';
import { type ActorRow, lockActor } from '../store.ts';
import type { Ordered, StartThinking } from '../thinking/start.ts';
import type { createApply } from './apply.ts';
import type { ClosePlan } from './close.ts';
import { planHashOf } from './hash.ts';
import type { DialectOf, PlansService } from './service.ts';
import { type ActionRow, actionsOf, lockPlan, type PlanRow } from './store.ts';

export type DecisionsDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly rights: ProjectRights;
  readonly plans: Pick<PlansService, 'visible'>;
  readonly acting: Acting;
  readonly starting: Pick<StartThinking, 'byPerson'>;
  readonly apply: ReturnType<typeof createApply>;
  readonly closePlan: ClosePlan;
  readonly dialectOf: DialectOf;
  readonly llm: Pick<Llm, 'absence'>;
};

export type PlanDecisions = ReturnType<typeof createPlanDecisions>;

type Held = { readonly plan: PlanRow; readonly actor: ActorRow };

/** Creates the decisions about plans. Each is one transaction that locks the actor first and then the plan. */
export function createPlanDecisions(deps: DecisionsDeps) {
  const { database, plans, closePlan } = deps;

  /** Locks the actor and the plan until the transaction ends. */
  const hold = async (tx: Tx, by: CallerActor, id: number): Promise<Held> => {
    const seen = await plans.visible(tx, by.caller, id);
    const actor = await lockActor(tx, seen.plan.actorId);
    const plan = await lockPlan(tx, id);
    if (!actor || !plan) throw notFound();
    return { plan, actor };
  };

  const refuseEnded = ({ status }: PlanRow): void => {
    if (status !== 'Pending') throw conflict('plan-over', `This plan is over: it is ${status}.`);
  };

  /** Four-eyes principle: a user with a part in a plan must not decide about it. */
  const holdForDecision = async (tx: Tx, by: CallerActor, id: number): Promise<Held> => {
    const held = await hold(tx, by, id);
    if (hasPart(by.caller, held.plan, held.actor.ownerUserId))
      throw forbidden('own-plan', 'You have a part in this plan: somebody else must decide about it.');
    refuseEnded(held.plan);
    return held;
  };

  const isOverdue = ({ expiresAt }: PlanRow): boolean => deps.clock.now() >= expiresAt;

  /** Returns the reason why a plan can no longer be decided, or null. */
  const staleness = async (
    tx: Tx,
    { plan, actor }: Held,
    actions: readonly ActionRow[],
  ): Promise<string | null> => {
    if (isOverdue(plan)) return 'The plan has expired. Have the actor think again.';
    const definitions = actions.map(({ definition }) => definition);
    const present = await planHashOf(tx, actor, definitions, deps.dialectOf);
    return present === plan.planHash
      ? null
      : 'What the plan was made for has changed, so that it has expired. Have the actor think again.';
  };

  const applyNow = async (tx: Tx, { actor }: Held, actions: readonly ActionRow[]): Promise<void> => {
    const as = await deps.acting.asOwnerHeld(tx, actor);
    if (!as)
      throw conflict(
        'actor-owner-unfit',
        'The owner of the actor is disabled or may not write in the project. Give the actor to somebody who may.',
      );
    await deps.apply.all(tx, { actor, as }, actions);
  };

  return {
    /**
     * Applies the selected actions as the owner of the actor. A stale plan expires instead: its expiry is committed, and the
     * decision is refused.
     */
    approve: async (
      by: CallerActor,
      id: number,
      input: {
        readonly planHash: string;
        readonly actionIds?: readonly number[] | undefined;
        readonly comment: string | null;
      },
    ): Promise<void> => {
      const stale = await database.transaction(async (tx) => {
        const held = await holdForDecision(tx, by, id);
        if (held.plan.planHash !== input.planHash)
          throw conflict('plan-stale', 'This is not the plan that you opened. Load it again.');
        const actions = await actionsOf(tx, id);
        const reason = await staleness(tx, held, actions);
        if (reason !== null) {
          await closePlan(tx, by, id, { status: 'Expired', comment: null });
          return reason;
        }
        await applyNow(tx, held, chosenOf(actions, input.actionIds));
        await closePlan(tx, by, id, { status: 'Applied', comment: input.comment });
        return null;
      });
      if (stale !== null) throw conflict('plan-stale', stale);
    },

    reject: (by: CallerActor, id: number, comment: string): Promise<void> =>
      database.transaction(async (tx) => {
        await holdForDecision(tx, by, id);
        await closePlan(tx, by, id, { status: 'Rejected', comment });
      }),

    /** Ends the plan and orders a think for its next version. The same reviewer may decide about that version. */
    requestRevision: async (by: CallerActor, id: number, feedback: string): Promise<Ordered> => {
      const absence = await deps.llm.absence();
      return database.transaction(async (tx) => {
        const { actor } = await holdForDecision(tx, by, id);
        if (absence !== null)
          throw conflict(
            'llm-not-configured',
            `An actor thinks with a language model. ${llmFailureTexts[absence]}`,
          );
        await closePlan(tx, by, id, { status: 'RevisionRequested', comment: feedback });
        return deps.starting.byPerson(tx, actor, 'Revision', by.caller, { text: feedback, parentPlanId: id });
      });
    },

    withdraw: (by: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        const { plan, actor } = await hold(tx, by, id);
        const right = await deps.rights.rightIn(tx, by.caller, actor.projectId);
        if (!mayManage(by.caller, actor, right))
          throw forbidden('not-your-actor', 'Only the owner of the actor, a ProjectAdmin or an Admin may.');
        refuseEnded(plan);
        await closePlan(tx, by, id, { status: 'Withdrawn', comment: null });
      }),
  };
}

/** Returns the actions to apply, in the order of the plan. */
function chosenOf(
  actions: readonly ActionRow[],
  wanted: readonly number[] | undefined,
): readonly ActionRow[] {
  if (wanted === undefined) return actions;
  const unknown = wanted.find((id) => !actions.some((action) => action.id === id));
  if (unknown !== undefined)
    throw badRequest('invalid-plan-choice', `The plan has no action ${unknown}.`, [
      { path: '/actionIds', message: 'names an action that is none of the plan' },
    ]);
  return actions.filter(({ id }) => wanted.includes(id));
}
