import type { SubscriptionInput } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { notFound, notPossible } from '../../../platform/http/index.ts';
import { requireClockTimes } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { notApproved } from '../../queries/index.ts';
import { requireRouting } from '../../row-routing/index.ts';
import { requireAudience } from '../requirements.ts';
import { newSubscription, requireWatch } from '../settings.ts';
import { insertSubscription } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';
import { attachAll } from './recipients.ts';

type Deps = Pick<
  ChangeDeps,
  'schedules' | 'rights' | 'audit' | 'loadQuery' | 'checkParameters' | 'setSchedule' | 'routings'
>;

/** Creates the function that subscribes recipients to a query. It returns the id of the subscription. */
export const createSubscribe =
  ({ schedules, rights, audit, loadQuery, checkParameters, setSchedule, routings }: Deps) =>
  async (tx: Tx, actor: CallerActor, input: SubscriptionInput): Promise<number> => {
    const schedule = await schedules.explain(input.cronExpression, input.timeZone);
    requireAudience(input);
    const values = newSubscription(input, schedule);
    requireWatch(values);
    requireClockTimes(values.quietHours);
    requireRouting(input.routing, null, { ...values, recipientIds: input.recipientIds });
    const { userId, aiActorId } = actor.caller;
    const query = await loadQuery(tx, input.queryId);
    if (!query) throw notFound();
    await rights.require(tx, actor.caller, query.projectId, 'Write');
    if (query.activeVersionId === null) throw notApproved();
    if (query.steps.length === 0)
      throw notPossible('query-empty', 'This query has no step yet. Give it one before subscribing to it.', [
        { path: '/queryId', message: 'has no step' },
      ]);
    checkParameters(query, input.parameters ?? {});
    const id = await insertSubscription(tx, {
      ...values,
      ownerUserId: userId,
      ...(aiActorId !== undefined && { aiActorId }),
    });
    await attachAll(tx, actor, id, input.recipientIds);
    if (input.routing) await routings.replace(tx, id, input.routing);
    await setSchedule(tx, id, schedule);
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.subscription_created',
      subject: { kind: 'subscription', id },
      projectId: query.projectId,
    });
    return id;
  };
