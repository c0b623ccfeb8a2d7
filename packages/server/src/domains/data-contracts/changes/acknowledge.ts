import type { Tx } from '../../../platform/db/index.ts';
import { type AcknowledgementChange, changeAcknowledgement } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { lockWritable } from '../reach.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the function that acknowledges a firing alert, or withdraws the acknowledgement (null). */
export const createAcknowledge =
  ({
    rights,
    audit,
    recordAcknowledgement,
  }: Pick<ChangeDeps, 'rights' | 'audit' | 'recordAcknowledgement'>) =>
  async (tx: Tx, by: CallerActor, id: number, change: AcknowledgementChange): Promise<void> => {
    const row = await lockWritable(rights, tx, by.caller, id);
    const subject = { kind: 'Contract', id } as const;
    if (!(await changeAcknowledgement(tx, subject, by, change))) return;
    await recordAcknowledgement(tx, subject, by.caller, change);
    const event = change ? 'alert_acknowledged' : 'alert_acknowledgement_withdrawn';
    await recordChange(audit, tx, by, event, row);
  };
