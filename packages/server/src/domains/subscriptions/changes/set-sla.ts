import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { setSla } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the change of the hours within which new tasks are due. The due time of an open task does not change. */
export const createSetSla =
  ({ reader, audit }: Pick<ChangeDeps, 'reader' | 'audit'>) =>
  async (tx: Tx, actor: CallerActor, id: number, slaHours: number | null): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    await setSla(tx, id, slaHours);
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.sla_changed',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      detail: { from: row.slaHours, to: slaHours },
    });
  };
