import type { LlmTokens } from '../../../gateways/llm/index.ts';
import type { Caller } from '../../../platform/access/index.ts';
import { systemCaller } from '../../../platform/access/index.ts';
import type { Database, Tx } from '../../../platform/db/index.ts';
import { HttpProblem } from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import type { Acting } from '../owner.ts';
import type { createApply } from '../plans/apply.ts';
import type { createPropose } from '../plans/propose.ts';
import { type ActorRow, lockActor, noteThink, setActorState } from '../store.ts';
import type { ProvedAction } from './actions.ts';
import type { StartThinking } from './start.ts';
import { type AppliedQuery, type Discarded, endThink, findThink, type ThinkRow } from './store.ts';

/** Result of a think. */
export type Thought = {
  readonly analysis: string;
  readonly findings: readonly string[];
  readonly proved: readonly ProvedAction[];
  readonly discarded: readonly Discarded[];
  readonly tokens: LlmTokens;
  readonly model: string;
  readonly promptVersion: number;
};

export type EndingDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly acting: Acting;
  readonly apply: ReturnType<typeof createApply>;
  readonly propose: ReturnType<typeof createPropose>;
  readonly starting: Pick<StartThinking, 'setSchedule' | 'cancelOpen'>;
  readonly tellResponsible: TellResponsible;
};

export type EndThinking = ReturnType<typeof createEndThinking>;

/** Consecutive failed thinks after which the actor fails. */
const failedThinksMax = 3;
/** Failures that do not count against the actor: they are temporary, or a budget caused them. */
const passing: ReadonlySet<string> = new Set([
  'BudgetSpent',
  'TooManyCalls',
  'RateLimited',
  'Overloaded',
  'Cancelled',
]);

const system = { caller: systemCaller } as const;

/** Ends thinks and applies the consequences: a plan, queries that need no plan, a failed or paused actor. */
export function createEndThinking(deps: EndingDeps) {
  const { database, audit } = deps;

  const record = (
    tx: Tx,
    by: CallerActor,
    event: string,
    { id, projectId }: ActorRow,
    detail: object,
  ): Promise<void> =>
    audit.record(tx, {
      by,
      event: `ai_actors.${event}`,
      projectId,
      subject: { kind: 'ai_actor', id },
      detail: { ...detail },
    });

  const stop = async (
    tx: Tx,
    actor: ActorRow,
    state: 'Failed' | 'Paused',
    facts: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    await setActorState(tx, actor.id, state);
    await deps.starting.setSchedule(tx, { ...actor, state });
    await record(tx, system, state === 'Failed' ? 'actor_failed' : 'actor_paused', actor, {
      by: 'service',
      ...facts,
    });
    await deps.tellResponsible(tx, {
      kind: state === 'Failed' ? 'ActorFailed' : 'ActorPaused',
      subject: { kind: 'AiActor', id: actor.id },
      runId: null,
      facts,
      isRepetition: false,
    });
  };

  /** Saves one query without a plan. A refused query is rolled back and its reason is returned. */
  const saveNow = async (
    tx: Tx,
    acting: { readonly actor: ActorRow; readonly as: Caller },
    { definition, reasoning }: ProvedAction,
  ): Promise<AppliedQuery | Discarded> => {
    const { type } = definition;
    await tx.query('savepoint ai_action');
    try {
      const context = { made: new Map<string, number>(), isApproved: false };
      const { queryId } = await deps.apply.one(tx, acting, { ...definition, reasoning }, context);
      const queryName =
        definition.type === 'CreateQuery'
          ? definition.name
          : 'queryName' in definition
            ? definition.queryName
            : '';
      if (queryId === undefined) throw new Error('A saved query has an id.');
      return { type, queryId, queryName };
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      await tx.query('rollback to savepoint ai_action');
      return { type, reasoning, problem: error.detail ?? error.title };
    }
  };

  const isQuery = ({ definition: { type } }: ProvedAction): boolean =>
    type === 'CreateQuery' || type === 'RefineQuery';

  /** Saves the queries if the actor needs no approval. Returns all other actions for a plan, with the ids of saved queries. */
  const settle = async (
    tx: Tx,
    acting: { readonly actor: ActorRow; readonly as: Caller },
    proved: readonly ProvedAction[],
  ) => {
    const applied: AppliedQuery[] = [];
    const discarded: Discarded[] = [];
    if (acting.actor.requiresApproval) return { applied, discarded, planned: proved };
    for (const action of proved.filter(isQuery)) {
      const saved = await saveNow(tx, acting, action);
      if ('problem' in saved) discarded.push(saved);
      else applied.push(saved);
    }
    const planned = proved
      .filter((action) => !isQuery(action))
      .map(({ definition, ...action }) => {
        const made =
          definition.type === 'CreateSubscription' && definition.queryId === null
            ? applied.find(({ queryName }) => queryName === definition.queryName)
            : undefined;
        return { ...action, definition: made ? { ...definition, queryId: made.queryId } : definition };
      });
    return {
      applied,
      discarded,
      planned: planned.filter(({ definition: d }) => d.type !== 'CreateSubscription' || d.queryId !== null),
    };
  };

  const conclude = async (
    tx: Tx,
    actor: ActorRow,
    think: ThinkRow,
    as: Caller,
    thought: Thought,
  ): Promise<void> => {
    const { analysis, findings, tokens, model, promptVersion } = thought;
    const by = { caller: as };
    const { applied, discarded, planned } = await settle(tx, { actor, as }, thought.proved);
    const planId = planned.length === 0 ? null : await deps.propose(tx, by, actor, think, planned);
    await endThink(tx, think.id, {
      state: 'Completed',
      analysis,
      findings,
      tokens,
      model,
      promptVersion,
      applied,
      discarded: [...thought.discarded, ...discarded],
    });
    await noteThink(tx, actor.id, null);
    await record(tx, by, 'think_completed', actor, {
      thinkId: think.id,
      planId,
      proposed: planned.length,
      applied: applied.length,
    });
  };

  const pause = async (tx: Tx, actor: ActorRow): Promise<void> => {
    const open = await deps.starting.cancelOpen(tx, actor.id);
    if (open !== undefined) await endThink(tx, open, { state: 'Cancelled' });
    await stop(tx, actor, 'Paused', { reason: 'OwnerUnfit' });
  };

  return {
    /** Stores the result of a think, unless the actor is no longer active. */
    complete: (thinkId: number, thought: Thought): Promise<void> =>
      database.transaction(async (tx) => {
        const seen = await findThink(tx, thinkId);
        const actor = seen && (await lockActor(tx, seen.actorId));
        const think = await findThink(tx, thinkId);
        if (!actor || !think || think.finishedAt !== null) return;
        const { tokens, model } = thought;
        if (actor.state !== 'Active')
          return void (await endThink(tx, thinkId, { state: 'Cancelled', tokens, model }));
        const as = await deps.acting.asOwnerHeld(tx, actor);
        if (as) return conclude(tx, actor, think, as, thought);
        await endThink(tx, thinkId, { state: 'Cancelled', tokens, model });
        await stop(tx, actor, 'Paused', { reason: 'OwnerUnfit' });
      }),

    /** Stores a failed think. The third consecutive failure fails the actor. */
    fail: (
      thinkId: number,
      failure: { readonly code: string; readonly message: string },
      thought: Partial<Thought>,
    ): Promise<void> =>
      database.transaction(async (tx) => {
        const think = await findThink(tx, thinkId);
        const actor = think && (await lockActor(tx, think.actorId));
        const { tokens, model } = thought;
        const { code, message } = failure;
        const end = { ...(tokens && { tokens }), ...(model !== undefined && { model }) };
        if (!actor || !(await endThink(tx, thinkId, { state: 'Failed', failure: { code, message }, ...end })))
          return;
        if (passing.has(code)) return;
        const failedThinks = await noteThink(tx, actor.id, message);
        if (actor.state === 'Active' && failedThinks >= failedThinksMax)
          await stop(tx, actor, 'Failed', { failure: message });
      }),

    cancel: async (thinkId: number): Promise<void> => {
      await endThink(database, thinkId, { state: 'Cancelled' });
    },

    /** Pauses an actor whose owner is disabled or may no longer write in the project. */
    pauseForOwner: (actorId: number): Promise<void> =>
      database.transaction(async (tx) => {
        const actor = await lockActor(tx, actorId);
        if (actor?.state === 'Active' && !(await deps.acting.asOwner(tx, actor))) await pause(tx, actor);
      }),
  };
}
