import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { setSnooze } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/**
 * Creates the function that suppresses the notifications of scheduled runs until a time; null ends the snooze. A manual
 * run still notifies.
 */
export const createSnooze =
  ({ reader, audit }: Pick<ChangeDeps, 'reader' | 'audit'>) =>
  async (
    tx: Tx,
    actor: CallerActor,
    id: number,
    until: Date | null,
    reason: string | null,
  ): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await setSnooze(tx, id, until, until && reason);
    await audit.record(tx, {
      by: actor,
      event: `subscriptions.${until ? 'subscription_snoozed' : 'subscription_woken'}`,
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      detail: { until: until?.toISOString() ?? null },
    });
  };
