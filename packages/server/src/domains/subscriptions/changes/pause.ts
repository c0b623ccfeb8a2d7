import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { requireNotArchived } from '../requirements.ts';
import { lockSubscription, setPaused } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/**
 * Creates the function that pauses or resumes the schedule of a subscription. It does nothing if the state is the same.
 */
export const createPause =
  ({ reader, audit, setSchedule }: Pick<ChangeDeps, 'reader' | 'audit' | 'setSchedule'>) =>
  async (tx: Tx, actor: CallerActor, id: number, isPaused: boolean): Promise<void> => {
    await lockSubscription(tx, id);
    const row = await reader.require(tx, actor.caller, id, 'Write');
    requireNotArchived(row);
    if (!(await setPaused(tx, id, isPaused))) return;
    const { cronExpression, timeZone } = row;
    await setSchedule(tx, id, isPaused ? undefined : { cronExpression, timeZone });
    await audit.record(tx, {
      by: actor,
      event: `subscriptions.${isPaused ? 'subscription_paused' : 'subscription_resumed'}`,
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };
