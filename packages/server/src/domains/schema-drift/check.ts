import type { Preflight, QueryParameter } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { TellPeople, TellResponsible } from '../notices/index.ts';
import type { ParameterValues, SavedQueryPlan } from '../queries/index.ts';
import type { CheckOutcome } from './store.ts';
import { saveCheck, subscriptionOwners } from './store.ts';

const messageLengthMax = 1_000;

/** Stands for a value that nobody gave: a plan needs one of the right type, and its rows are never read. */
const exampleOf: Readonly<Record<QueryParameter['type'], string | number | boolean>> = {
  Number: 0,
  String: '',
  Boolean: false,
  Date: '2000-01-01',
  DateTime: '2000-01-01T00:00:00Z',
};

/** Values for the parameters that have no default and want one. */
export const examplesFor = ({ parameters }: Pick<SavedQueryPlan, 'parameters'>): ParameterValues =>
  Object.fromEntries(
    parameters
      .filter(({ defaultValue, isRequired }) => isRequired && defaultValue === undefined)
      .map(({ name, type }) => [name, exampleOf[type]]),
  );

/** A source that is away says nothing about a statement: the check is made again later. */
export type Looked = CheckOutcome | 'SourceAway';

/** What the gates of a preflight say of a query as it is saved. */
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
 * Keeps the outcome of a check and tells of a query that the engine can no longer plan: its owner and the owners of
 * its subscriptions, each once for each version of the query.
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
    // Whoever was told just now as the owner of a subscription is not told again as the owner of the query.
    await tell.tellResponsible(tx, { ...notice, isRepetition: true });
  };
