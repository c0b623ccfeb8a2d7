import { type ProveAction, refusal } from './context.ts';

export const proveArchiveSubscription: ProveAction<'ArchiveSubscription'> = async (
  _deps,
  action,
  context,
) => {
  const match = context.own
    .flatMap((query) => query.subscriptions.map((subscription) => ({ query, subscription })))
    .find(({ subscription }) => subscription.id === action.subscriptionId);
  if (!match) throw refusal('The subscription is none of the actor.');
  const { query, subscription } = match;
  if (query.isLocked) throw refusal(`The query "${query.name}" is locked.`);
  if (subscription.isEdited) throw refusal('A person has changed the subscription since.');
  const { id: subscriptionId, cronExpression, timeZone } = subscription;
  const isArchived = context.earlier.some(
    ({ definition: d }) => d.type === 'ArchiveSubscription' && d.subscriptionId === subscriptionId,
  );
  if (isArchived) throw refusal('Another action archives this subscription.');
  const definition = {
    type: 'ArchiveSubscription' as const,
    subscriptionId,
    cronExpression,
    timeZone,
    queryId: query.id,
    queryName: query.name,
  };
  return { definition, sample: null };
};
