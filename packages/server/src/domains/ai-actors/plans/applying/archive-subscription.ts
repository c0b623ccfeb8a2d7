import { readOwn } from '../../thinking/own.ts';
import { type ApplyAction, lockOwnQuery, stalePlan } from './context.ts';

export const applyArchiveSubscription: ApplyAction<'ArchiveSubscription'> = async (
  { subscriptions },
  tx,
  { subscriptionId, queryId },
  { actor, by },
) => {
  const ownQueries = await readOwn(tx, actor.id);
  await lockOwnQuery(tx, ownQueries, queryId);
  const subscription = ownQueries
    .flatMap((query) => query.subscriptions)
    .find(({ id }) => id === subscriptionId);
  if (subscription?.isEdited !== false) throw stalePlan();
  await subscriptions.archiveIn(tx, by, subscriptionId);
  return { queryId };
};
