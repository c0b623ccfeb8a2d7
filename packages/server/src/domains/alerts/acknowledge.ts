import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { type AlertSubject, deleteAcknowledgement, saveAcknowledgement } from './store.ts';

/** Acknowledgement that a caller sets on an alert; null withdraws it. */
export type AcknowledgementChange = { readonly note: string | null } | null;

/** Records an acknowledgement of an alert, or its withdrawal (null), on the open task of the alert's subject. */
export type RecordAcknowledgement = (
  tx: Tx,
  subject: AlertSubject,
  by: Caller,
  change: AcknowledgementChange,
) => Promise<void>;

/**
 * Acknowledges a firing alert, or withdraws the acknowledgement. Reminders stop until the alert clears.
 *
 * @returns true if an acknowledgement was set or removed.
 * @throws `alert-not-firing` (409) if the alert is not firing.
 */
export async function changeAcknowledgement(
  tx: Tx,
  subject: AlertSubject,
  actor: CallerActor,
  change: AcknowledgementChange,
): Promise<boolean> {
  if (change === null) return deleteAcknowledgement(tx, subject);
  if (!(await saveAcknowledgement(tx, subject, { userId: actor.caller.userId, note: change.note })))
    throw conflict('alert-not-firing', 'The alert is not firing, so there is nothing to acknowledge.');
  return true;
}
