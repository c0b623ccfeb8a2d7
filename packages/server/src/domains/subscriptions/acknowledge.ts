import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { type AcknowledgementChange, changeAcknowledgement } from '../alerts/index.ts';
import type { CallerActor } from '../audit/index.ts';
import type { SubscriptionsDeps } from './service.ts';
import type { SubscriptionRow } from './store/index.ts';

type Reach = (executor: Executor, caller: Caller, id: number, needed: 'Write') => Promise<SubscriptionRow>;

/** Acknowledges the firing alert of a subscription, or withdraws the acknowledgement (null). */
export const createAcknowledge =
  (deps: Pick<SubscriptionsDeps, 'database' | 'audit' | 'recordAcknowledgement'>, reach: Reach) =>
  (actor: CallerActor, id: number, change: AcknowledgementChange): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const row = await reach(tx, actor.caller, id, 'Write');
      const subject = { kind: 'Subscription', id } as const;
      if (!(await changeAcknowledgement(tx, subject, actor, change))) return;
      await deps.recordAcknowledgement(tx, subject, actor.caller, change);
      await deps.audit.record(tx, {
        by: actor,
        event: `subscriptions.alert_${change ? 'acknowledged' : 'acknowledgement_withdrawn'}`,
        subject: { kind: 'subscription', id },
        projectId: row.projectId,
      });
    });
