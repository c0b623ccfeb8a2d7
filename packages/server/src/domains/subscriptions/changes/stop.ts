import type { Tx } from '../../../platform/db/index.ts';
import { systemActor } from '../../audit/index.ts';
import { findSubscription, setArchived } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Archives a subscription that can never run again, in the caller's transaction. */
export type StopSubscription = (tx: Tx, id: number, reason: string) => Promise<void>;

/** Creates the archiving by the service itself. It checks no rights, because no user requests it. */
export const createStopSubscription =
  (deps: Pick<ChangeDeps, 'audit' | 'setSchedule'>): StopSubscription =>
  async (tx, id, reason) => {
    const row = await findSubscription(tx, id);
    if (!row || !(await setArchived(tx, id, true, reason))) return;
    await deps.setSchedule(tx, id, undefined);
    await deps.audit.record(tx, {
      by: systemActor,
      event: 'subscriptions.subscription_stopped',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      detail: { reason },
    });
  };
