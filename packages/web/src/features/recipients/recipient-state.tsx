import type { Recipient } from '@svc/contract';
import { words } from '../../lib/format.ts';
import { Status } from '../../ui/record/status.tsx';

/** State of a recipient, with the reason if it does not deliver. */
export function RecipientState({ row }: { readonly row: Recipient }) {
  if (row.needsDestination) return <Status tone="red">Re-enter destination</Status>;
  if (row.state === 'Approved' && !row.isEncrypted) return <Status tone="amber">Not encrypted</Status>;
  if (row.state === 'Approved') return <Status tone="green">Approved</Status>;
  return <Status tone={row.state === 'Rejected' ? 'red' : 'amber'}>{words(row.state)}</Status>;
}

/** Note about the consequences of saving the recipient. Renders nothing without consequences. */
export function WaitingNote({ record }: { readonly record: Recipient }) {
  const { pendingChange, state } = record;
  if (pendingChange)
    return (
      <p className="soft" role="note">
        {pendingChange.isOwn
          ? 'Your change of this recipient waits for approval; nothing is delivered meanwhile. A further change takes its place.'
          : `A change by ${pendingChange.requestedByUserName ?? 'the service'} waits for approval. Until it is decided only name, description and template can be changed.`}
      </p>
    );
  if (state === 'Rejected')
    return (
      <p className="soft" role="note">
        The last change was rejected, and nothing is delivered. Put the destination back, or save to ask
        again.
      </p>
    );
  return null;
}
