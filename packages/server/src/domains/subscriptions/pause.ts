import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import type { SubscriptionsDeps } from './service.ts';
import { lockSubscription, type SubscriptionRow, setPaused } from './store/index.ts';

type Reach = (executor: Executor, caller: Caller, id: number, needed: 'Write') => Promise<SubscriptionRow>;

/**
 * Creates the function that pauses or resumes the schedule of a subscription. It does nothing if the state is the same.
 */
export const createPause =
  (deps: Pick<SubscriptionsDeps, 'database' | 'audit' | 'setSchedule'>, reach: Reach) =>
  (actor: CallerActor, id: number, isPaused: boolean): Promise<void> =>
    deps.database.transaction(async (tx) => {
      await lockSubscription(tx, id);
      const row = await reach(tx, actor.caller, id, 'Write');
      if (row.archivedAt !== null)
        throw conflict('subscription-archived', 'This subscription is archived. Reactivate it first.');
      if (!(await setPaused(tx, id, isPaused))) return;
      const { cronExpression, timeZone } = row;
      await deps.setSchedule(tx, id, isPaused ? undefined : { cronExpression, timeZone });
      await deps.audit.record(tx, {
        by: actor,
        event: `subscriptions.${isPaused ? 'subscription_paused' : 'subscription_resumed'}`,
        subject: { kind: 'subscription', id },
        projectId: row.projectId,
      });
    });
