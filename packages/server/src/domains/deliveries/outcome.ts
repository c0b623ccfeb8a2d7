import type { RecipientNote, RunReason } from '../run-history/index.ts';
import type { DeliveryResult } from './store.ts';

/** Returns the status of a run: `Sent` only when every attempted recipient accepted, `Skipped` without any attempt. */
export function outcomeOf(
  results: readonly DeliveryResult[],
  { hasTask }: { readonly hasTask: boolean },
): {
  readonly status: 'Sent' | 'Failed' | 'Skipped' | 'Silenced';
  readonly reason: RunReason | null;
} {
  const notesOf = (...states: readonly DeliveryResult['state'][]): RecipientNote[] =>
    results
      .filter(({ state }) => states.includes(state))
      .map(({ recipientId, reason }) => ({ recipientId, reason: reason ?? 'DeliveryFailed' }));
  const failed = notesOf('Failed', 'Unknown');
  const skipped = notesOf('Skipped');
  if (results.length === 0)
    return hasTask
      ? { status: 'Silenced', reason: { reason: 'TaskAlone' } }
      : { status: 'Skipped', reason: { reason: 'NoRecipients' } };
  if (failed.length > 0) return { status: 'Failed', reason: { reason: 'DeliveriesFailed', failed, skipped } };
  if (skipped.length === results.length) return { status: 'Skipped', reason: { reason: 'NobodyNotified' } };
  const notes = results.flatMap(({ recipientId, notes: words }) =>
    words.map((reason) => ({ recipientId, reason })),
  );
  if (notes.length > 0) return { status: 'Sent', reason: { reason: 'SentWithNotes', notes, skipped } };
  return { status: 'Sent', reason: skipped.length > 0 ? { reason: 'RecipientsSkipped', skipped } : null };
}
