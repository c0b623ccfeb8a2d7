import type { Caller } from '../../../../platform/access/index.ts';
import type { Tx } from '../../../../platform/db/index.ts';
import { HttpProblem } from '../../../../platform/http/index.ts';
import type { createApply } from '../../plans/applying/apply.ts';
import type { ActorRow } from '../../store.ts';
import type { DefinitionOf, ProvedAction } from '../actions.ts';
import type { AppliedQuery, Discarded } from '../store.ts';

export type Acting = { readonly actor: ActorRow; readonly as: Caller };

type QueryAction = ProvedAction & { readonly definition: DefinitionOf<'CreateQuery' | 'RefineQuery'> };

const isQueryAction = (action: ProvedAction): action is QueryAction =>
  action.definition.type === 'CreateQuery' || action.definition.type === 'RefineQuery';

type Settlement = {
  readonly applied: readonly AppliedQuery[];
  readonly discarded: readonly Discarded[];
  /** Actions that need a plan. */
  readonly planned: readonly ProvedAction[];
};

/**
 * Saves the queries if the actor needs no approval. Returns all other actions for a plan, with the ids of saved
 * queries.
 */
export async function saveQueries(
  apply: Pick<ReturnType<typeof createApply>, 'one'>,
  tx: Tx,
  acting: Acting,
  proved: readonly ProvedAction[],
): Promise<Settlement> {
  const applied: AppliedQuery[] = [];
  const discarded: Discarded[] = [];
  if (acting.actor.requiresApproval) return { applied, discarded, planned: proved };
  for (const action of proved.filter(isQueryAction)) {
    const result = await saveQuery(apply, tx, acting, action);
    if ('problem' in result) discarded.push(result);
    else applied.push(result);
  }
  const others = proved.filter((action) => !isQueryAction(action));
  const planned = others.map((action) => withQueryId(action, applied)).filter(hasQuery);
  return { applied, discarded, planned };
}

/** Saves one query without a plan. A refused query is rolled back and its reason is returned. */
async function saveQuery(
  apply: Pick<ReturnType<typeof createApply>, 'one'>,
  tx: Tx,
  acting: Acting,
  { definition, reasoning }: QueryAction,
): Promise<AppliedQuery | Discarded> {
  const { type } = definition;
  await tx.query('savepoint ai_action');
  try {
    const { queryId } = await apply.one(tx, acting, { ...definition, reasoning });
    if (queryId === undefined) throw new Error('A saved query has an id.');
    const queryName = definition.type === 'CreateQuery' ? definition.name : definition.queryName;
    return { type, queryId, queryName };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    await tx.query('rollback to savepoint ai_action');
    return { type, reasoning, problem: error.detail ?? error.title };
  }
}

/** Sets the id of the saved query in a subscription to a query of the same answer. */
function withQueryId(action: ProvedAction, applied: readonly AppliedQuery[]): ProvedAction {
  const { definition } = action;
  if (definition.type !== 'CreateSubscription' || definition.queryId !== null) return action;
  const query = applied.find(({ queryName }) => queryName === definition.queryName);
  return query ? { ...action, definition: { ...definition, queryId: query.queryId } } : action;
}

/** Returns false for a subscription whose query was refused. */
const hasQuery = ({ definition }: ProvedAction): boolean =>
  definition.type !== 'CreateSubscription' || definition.queryId !== null;
