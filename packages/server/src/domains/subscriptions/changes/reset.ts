import type { Tx } from '../../../platform/db/index.ts';
import { deleteAlert } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { deleteMemory } from '../../row-memory/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the function that deletes the state of the alert, so that the next rows are new. */
export const createResetAlert =
  ({ reader, audit }: Pick<ChangeDeps, 'reader' | 'audit'>) =>
  async (tx: Tx, actor: CallerActor, id: number): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await deleteAlert(tx, { kind: 'Subscription', id });
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.alert_reset',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };

/**
 * Creates the function that deletes the stored rows. The next run stores its rows and notifies no recipient.
 */
export const createResetRowMemory =
  ({ reader, audit }: Pick<ChangeDeps, 'reader' | 'audit'>) =>
  async (tx: Tx, actor: CallerActor, id: number): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await deleteMemory(tx, id);
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.row_memory_reset',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };
