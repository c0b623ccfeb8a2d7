import type { Tx } from '../../../platform/db/index.ts';
import { type AcknowledgementChange, changeAcknowledgement } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the function that acknowledges a firing alert, or withdraws the acknowledgement (null). */
export const createAcknowledge =
  ({
    reader,
    audit,
    recordAcknowledgement,
  }: Pick<ChangeDeps, 'reader' | 'audit' | 'recordAcknowledgement'>) =>
  async (tx: Tx, actor: CallerActor, id: number, change: AcknowledgementChange): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    const subject = { kind: 'Subscription', id } as const;
    if (!(await changeAcknowledgement(tx, subject, actor, change))) return;
    await recordAcknowledgement(tx, subject, actor.caller, change);
    await audit.record(tx, {
      by: actor,
      event: `subscriptions.alert_${change ? 'acknowledged' : 'acknowledgement_withdrawn'}`,
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };
