import type { Tx } from '../../../../platform/db/index.ts';
import { conflict } from '../../../../platform/http/index.ts';
import type { CallerActor } from '../../../audit/index.ts';
import type { DataContractsService } from '../../../data-contracts/index.ts';
import { type FoundQuery, findQuery, lockQueryRow, type QueriesService } from '../../../queries/index.ts';
import type { SubscriptionsService } from '../../../subscriptions/index.ts';
import type { ActorRow } from '../../store.ts';
import type { ActionType, DefinitionOf } from '../../thinking/actions.ts';
import type { OwnQuery } from '../../thinking/own.ts';
import type { ActionResult } from '../store.ts';

export type ApplyDeps = {
  readonly queries: Pick<QueriesService, 'createIn' | 'updateIn'>;
  readonly subscriptions: Pick<SubscriptionsService, 'createIn' | 'archiveIn'>;
  readonly contracts: Pick<DataContractsService, 'createIn'>;
};

export type ApplyContext = {
  readonly actor: ActorRow;
  /** Owner of the actor, who performs the action. */
  readonly by: CallerActor;
  /** True if the change was approved as part of a plan and needs no separate approval. */
  readonly isApproved: boolean;
  /** Ids of queries that earlier actions of the same plan created, by lower-case name. */
  readonly createdQueries: Map<string, number>;
};

/** Applies one proved action in the transaction of the caller. */
export type ApplyAction<T extends ActionType> = (
  deps: ApplyDeps,
  tx: Tx,
  action: DefinitionOf<T> & { readonly reasoning: string },
  context: ApplyContext,
) => Promise<ActionResult>;

export const stalePlan = () =>
  conflict('plan-stale', 'What the plan is about is not as it was. Have the actor think again.');

/** Locks a query of the actor until the transaction ends. */
export async function lockOwnQuery(tx: Tx, ownQueries: readonly OwnQuery[], id: number): Promise<FoundQuery> {
  await lockQueryRow(tx, id);
  const query = await findQuery(tx, id);
  if (!query || !ownQueries.some((one) => one.id === id)) throw stalePlan();
  if (query.isLocked)
    throw conflict(
      'query-locked',
      `The query "${query.name}" is locked. Unlock it, or leave the action out.`,
    );
  return query;
}
