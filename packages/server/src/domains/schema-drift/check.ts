import type { Preflight, QueryParameter } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { TellPeople, TellResponsible } from '../notices/index.ts';
import type { ParameterValues, SavedQueryPlan } from '../queries/index.ts';
import type { CheckOutcome } from './store.ts';
import { saveCheck, subscriptionOwners } from './store.ts';

const messageLengthMax = 1_000;

/** Placeholder values by type. A plan needs a value of the right type, but its rows are never read. */
const exampleOf: Readonly<Record<QueryParameter['type'], string | number | boolean>> = {
  Number: 0,
  String: '',
  Boolean: false,
  Date: '2000-01-01',
  DateTime: '2000-01-01T00:00:00Z',
};

/** Returns values for the required parameters without a default. */
export const examplesFor = ({ parameters }: Pick<SavedQueryPlan, 'parameters'>): ParameterValues =>
  Object.fromEntries(
    parameters
      .filter(({ defaultValue, isRequired }) => isRequired && defaultValue === undefined)
      .map(({ name, type }) => [name, exampleOf[type]]),
  );

/** Outcome of a check. `SourceAway`: the source is unavailable, so the check is repeated later. */
export type Looked = CheckOutcome | 'SourceAway';

/** Returns the outcome of a preflight for a saved query. */
export function outcomeOf({ gates }: Pick<Preflight, 'gates'>): Looked {
  const failed = gates.filter(({ verdict }) => verdict === 'Failed');
  const broken = failed.find(
    ({ gate }) => gate === 'engine' || gate === 'statement' || gate === 'parameters',
  );
  if (broken) {
    const place = broken.stepOrder === null ? '' : `Step ${broken.stepOrder}: `;
    return { verdict: 'Failed', message: `${place}${broken.message}`.slice(0, messageLengthMax) };
  }
  if (failed.some(({ gate }) => gate === 'source')) return 'SourceAway';
  const unasked = gates.find(({ gate, verdict }) => gate === 'engine' && verdict === 'NotChecked');
  return unasked ? { verdict: 'NotChecked', message: unasked.message } : { verdict: 'Passed', message: null };
}

/**
 * Returns a function that stores the outcome of a check. If the engine can no longer plan the query, it notifies the
 * owner of the query and the owners of its subscriptions. Each is notified once per version of the query.
 */
export const createKeepCheck =
  (tell: { readonly tellPeople: TellPeople; readonly tellResponsible: TellResponsible }) =>
  async (tx: Tx, queryId: number, versionId: number | null, outcome: CheckOutcome): Promise<void> => {
    const { checkedAt, hadFailed } = await saveCheck(tx, queryId, versionId, outcome);
    if (outcome.verdict !== 'Failed' || hadFailed) return;
    const notice = {
      kind: 'QueryBroken',
      subject: { kind: 'Query', id: queryId },
      runId: null,
      facts: { checkedAt: checkedAt.toISOString() },
    } as const;
    await tell.tellPeople(tx, notice, await subscriptionOwners(tx, queryId));
    // An owner of a subscription who was just notified gets no second notice as the owner of the query.
    await tell.tellResponsible(tx, { ...notice, isRepetition: true });
  };
