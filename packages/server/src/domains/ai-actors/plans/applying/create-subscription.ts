import { plural } from '@svc/contract';
import { badRequest, conflict } from '../../../../platform/http/index.ts';
import { readOwn } from '../../thinking/own.ts';
import { type ApplyAction, lockOwnQuery } from './context.ts';

export const applyCreateSubscription: ApplyAction<'CreateSubscription'> = async (
  { subscriptions },
  tx,
  action,
  { actor, by, createdQueries },
) => {
  const queryId = action.queryId ?? createdQueries.get(action.queryName.toLowerCase());
  if (queryId === undefined)
    throw badRequest(
      'invalid-plan-choice',
      `An action subscribes to "${action.queryName}", whose own action was left out.`,
      [{ path: '/actionIds', message: 'must hold the action that makes the query' }],
    );
  const ownQueries = await readOwn(tx, actor.id);
  const query = await lockOwnQuery(tx, ownQueries, queryId);
  const most = actor.maxSubscriptionsPerQuery;
  if ((ownQueries.find(({ id }) => id === queryId)?.subscriptions.length ?? 0) >= most)
    throw conflict(
      'actor-limit-reached',
      `"${query.name}" has ${plural(most, 'subscription')} of the actor, which is all it may have.`,
    );
  const { cronExpression, timeZone, notificationTrigger, minimumRowCount, recipientIds } = action;
  const { id } = await subscriptions.createIn(tx, by, {
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
