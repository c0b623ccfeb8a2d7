import type { NotificationTrigger } from '@svc/contract';
import { plural } from '@svc/contract';
import type { ModelAction } from '../prompt.ts';
import { type ProofContext, type ProveAction, refusal, trimmed } from './context.ts';
import { newQueriesOf, requireOwnQuery } from './queries.ts';

const triggers: ReadonlySet<string> = new Set<NotificationTrigger>([
  'OnResultCountChange',
  'OnResultCountIncrease',
  'Always',
  'WhileRows',
]);
const isTrigger = (text: string): text is NotificationTrigger => triggers.has(text);

export const proveCreateSubscription: ProveAction<'CreateSubscription'> = async (deps, action, context) => {
  const { maxSubscriptionsPerQuery: most, timeZone, defaultRecipientIds } = context.actor;
  const { queryId, queryName, subscriptions } = subscribedQuery(context, action);
  const { cronExpression } = await deps.schedules.explain(trimmed(action.cronExpression), timeZone);
  const notificationTrigger = trimmed(action.notificationTrigger) || 'OnResultCountChange';
  if (!isTrigger(notificationTrigger)) throw refusal(`There is no trigger "${notificationTrigger}".`);
  const planned = context.earlier.flatMap(({ definition: d }) =>
    d.type === 'CreateSubscription' && d.queryName === queryName ? [d] : [],
  );
  const others = [...subscriptions, ...planned];
  if (others.length >= most) throw refusal(`A query of the actor may have ${plural(most, 'subscription')}.`);
  if (others.some((one) => one.cronExpression === cronExpression && one.timeZone === timeZone))
    throw refusal('The query has a subscription by this schedule.');
  const { minimumRowCount } = action;
  if (minimumRowCount !== null && (minimumRowCount < 1 || minimumRowCount > 1_000_000_000))
    throw refusal('A threshold is at least 1.');
  const definition = {
    type: 'CreateSubscription' as const,
    queryId,
    queryName,
    cronExpression,
    timeZone,
    notificationTrigger,
    minimumRowCount,
    recipientIds: defaultRecipientIds,
  };
  return { definition, sample: null };
};

/** Returns the query to subscribe to: a query of the actor, or a query that the same answer creates. */
function subscribedQuery(context: ProofContext, action: ModelAction) {
  if (action.queryId !== null) {
    const { id, name, subscriptions } = requireOwnQuery(context, action.queryId);
    return { queryId: id, queryName: name, subscriptions };
  }
  const name = trimmed(action.queryName).toLowerCase();
  const newQuery = newQueriesOf(context).find((query) => query.name.toLowerCase() === name);
  if (!newQuery) throw refusal('The query is none of the actor, and no action before this one makes it.');
  return { queryId: null, queryName: newQuery.name, subscriptions: [] };
}
