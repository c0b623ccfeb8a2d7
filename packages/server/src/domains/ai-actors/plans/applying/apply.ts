import { plural } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { badRequest, conflict, HttpProblem } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { DataContractsService } from '../../data-contracts/index.ts';
import { type FoundQuery, findQuery, lockQueryRow, type QueriesService } from '../../queries/index.ts';
import type { SubscriptionsService } from '../../subscriptions/index.ts';
import type { ActorRow } from '../store.ts';
import type { ActionDefinition, DefinitionOf } from '../thinking/actions.ts';
import { type OwnQuery, readOwn } from '../thinking/own.ts';
import { type ActionResult, type ActionRow, markApplied } from './store.ts';

export type ApplyDeps = {
  readonly queries: Pick<QueriesService, 'createIn' | 'updateIn'>;
  readonly subscriptions: Pick<SubscriptionsService, 'createIn' | 'archiveIn'>;
  readonly contracts: Pick<DataContractsService, 'createIn'>;
};

/** `isApproved`: the change was approved as part of a plan and needs no separate approval. */
export type Approval = { readonly isApproved: boolean };

/** Ids of queries that earlier actions of the same plan created, by lower-case name. */
type MadeQueries = Map<string, number>;

const gone = () =>
  conflict('plan-stale', 'What the plan is about is not as it was. Have the actor think again.');

/** Applies proved actions as the owner of their actor. The caller's transaction has the lock of the actor. */
export function createApply({ queries, subscriptions, contracts }: ApplyDeps) {
  /** Locks a query of the actor until the transaction ends. */
  const holdQuery = async (tx: Tx, own: readonly OwnQuery[], id: number): Promise<FoundQuery> => {
    await lockQueryRow(tx, id);
    const query = await findQuery(tx, id);
    if (!query || !own.some((one) => one.id === id)) throw gone();
    if (query.isLocked)
      throw conflict(
        'query-locked',
        `The query "${query.name}" is locked. Unlock it, or leave the action out.`,
      );
    return query;
  };

  const stepOf = (actor: ActorRow, sql: string) => ({ dataSourceId: actor.dataSourceId, sql });

  const createQuery = async (
    tx: Tx,
    as: CallerActor,
    actor: ActorRow,
    action: DefinitionOf<'CreateQuery'>,
    how: Approval,
  ) => {
    const { name, description, sql } = action;
    const { query } = await queries.createIn(
      tx,
      as,
      { projectId: actor.projectId, name, description, steps: [stepOf(actor, sql)] },
      { source: 'AiActor', ...how },
    );
    return { queryId: query.id };
  };

  const refineQuery = async (
    tx: Tx,
    as: CallerActor,
    actor: ActorRow,
    action: DefinitionOf<'RefineQuery'> & { readonly reasoning: string },
    how: Approval,
  ) => {
    const own = await readOwn(tx, actor.id);
    const query = await holdQuery(tx, own, action.queryId);
    if (own.find(({ id }) => id === query.id)?.isEdited !== false) throw gone();
    const { finalQuery, parameters } = query;
    // The step retains its key: it is the same step with another statement.
    const [step] = query.steps;
    const next = { name: query.name, description: action.description, finalQuery, parameters };
    const steps = [{ ...stepOf(actor, action.sql), ...(step && { key: step.key, name: step.name }) }];
    await queries.updateIn(
      tx,
      as,
      query.id,
      { ...next, steps, changeReason: action.reasoning },
      { source: 'AiActor', ...how, expectedVersion: undefined },
    );
    return { queryId: query.id };
  };

  const createSubscription = async (
    tx: Tx,
    as: CallerActor,
    actor: ActorRow,
    action: DefinitionOf<'CreateSubscription'>,
    made: MadeQueries,
  ) => {
    const queryId = action.queryId ?? made.get(action.queryName.toLowerCase());
    if (queryId === undefined)
      throw badRequest(
        'invalid-plan-choice',
        `An action subscribes to "${action.queryName}", whose own action was left out.`,
        [{ path: '/actionIds', message: 'must hold the action that makes the query' }],
      );
    const own = await readOwn(tx, actor.id);
    const query = await holdQuery(tx, own, queryId);
    const most = actor.maxSubscriptionsPerQuery;
    if ((own.find(({ id }) => id === queryId)?.subscriptions.length ?? 0) >= most)
      throw conflict(
        'actor-limit-reached',
        `"${query.name}" has ${plural(most, 'subscription')} of the actor, which is all it may have.`,
      );
    const { cronExpression, timeZone, notificationTrigger, minimumRowCount, recipientIds } = action;
    const { id } = await subscriptions.createIn(tx, as, {
      queryId,
      cronExpression,
      timeZone,
      notificationTrigger,
      minimumRowCount,
      recipientIds: [...recipientIds],
      // Without recipients, a task reports the result.
      createTasks: recipientIds.length === 0,
    });
    return { queryId, subscriptionId: id };
  };

  const archiveSubscription = async (
    tx: Tx,
    as: CallerActor,
    actor: ActorRow,
    { subscriptionId, queryId }: DefinitionOf<'ArchiveSubscription'>,
  ) => {
    const own = await readOwn(tx, actor.id);
    await holdQuery(tx, own, queryId);
    const subscription = own.flatMap((query) => query.subscriptions).find(({ id }) => id === subscriptionId);
    if (subscription?.isEdited !== false) throw gone();
    await subscriptions.archiveIn(tx, as, subscriptionId);
    return { queryId };
  };

  const createContract = async (
    tx: Tx,
    as: CallerActor,
    actor: ActorRow,
    action: DefinitionOf<'CreateContract'>,
  ) => {
    const { schemaName, tableName, name, rules, recipientIds } = action;
    const { projectId, dataSourceId } = actor;
    const { id } = await contracts.createIn(tx, as, {
      projectId,
      dataSourceId,
      schemaName,
      tableName,
      name,
      rules: rules.map((rule) => ({ ...rule, columns: [...rule.columns] })),
      recipientIds: [...recipientIds],
    });
    return { contractId: id };
  };

  const act = (
    tx: Tx,
    as: CallerActor,
    actor: ActorRow,
    action: ActionDefinition & { readonly reasoning: string },
    context: Approval & { readonly made: MadeQueries },
  ): Promise<ActionResult> => {
    const { made, isApproved } = context;
    switch (action.type) {
      case 'CreateQuery':
        return createQuery(tx, as, actor, action, { isApproved });
      case 'RefineQuery':
        return refineQuery(tx, as, actor, action, { isApproved });
      case 'CreateSubscription':
        return createSubscription(tx, as, actor, action, made);
      case 'ArchiveSubscription':
        return archiveSubscription(tx, as, actor, action);
      case 'CreateContract':
        return createContract(tx, as, actor, action);
    }
  };

  const apply = async (
    tx: Tx,
    acting: { readonly actor: ActorRow; readonly as: Caller },
    action: ActionDefinition & { readonly reasoning: string },
    context: Approval & { readonly made: MadeQueries },
  ): Promise<ActionResult> => {
    const { actor, as } = acting;
    try {
      if (action.type === 'CreateQuery') await refuseBeyondLimit(tx, actor);
      const result = await act(tx, { caller: as }, actor, action, context);
      if (action.type === 'CreateQuery' && result.queryId !== undefined)
        context.made.set(action.name.toLowerCase(), result.queryId);
      return result;
    } catch (error) {
      throw asPlanRefusal(error, action);
    }
  };

  return {
    /** Applies one action outside a plan. */
    one: apply,

    /** Applies the actions of a plan in order. An error leaves none of them applied. */
    all: async (
      tx: Tx,
      acting: { readonly actor: ActorRow; readonly as: Caller },
      actions: readonly ActionRow[],
    ): Promise<void> => {
      const made: MadeQueries = new Map();
      for (const { id, definition, reasoning } of actions) {
        const result = await apply(tx, acting, { ...definition, reasoning }, { made, isApproved: true });
        await markApplied(tx, id, result);
      }
    },
  };
}

async function refuseBeyondLimit(tx: Tx, { id, maxQueries }: ActorRow): Promise<void> {
  if ((await readOwn(tx, id)).length >= maxQueries)
    throw conflict(
      'actor-limit-reached',
      `The actor has ${plural(maxQueries, 'query', 'queries')}, which is all that it may have.`,
    );
}

/** Codes about the plan itself. All other codes are refusals to the owner, reported as `plan-not-applied`. */
const ofPlans: ReadonlySet<string> = new Set([
  'plan-stale',
  'plan-not-applied',
  'query-locked',
  'actor-limit-reached',
  'invalid-plan-choice',
]);

function asPlanRefusal(error: unknown, { type }: ActionDefinition): unknown {
  if (!(error instanceof HttpProblem) || ofPlans.has(error.code ?? '')) return error;
  return conflict(
    'plan-not-applied',
    `${type} was refused to the owner of the actor: ${error.detail ?? error.title}`,
  );
}
