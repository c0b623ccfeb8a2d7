import type { Change, ChangeStatus } from '@svc/contract';
import { words } from '../../lib/format.ts';
import { Status, type Tone } from '../../ui/record/status.tsx';

const tones: Readonly<{ [status in ChangeStatus]: Tone }> = {
  Pending: 'amber',
  Approved: 'green',
  Rejected: 'red',
  Withdrawn: 'neutral',
};

/** How a request stands. */
export const ChangeState = ({ status }: { readonly status: ChangeStatus }) => (
  <Status tone={tones[status]}>{status === 'Pending' ? 'Waiting' : status}</Status>
);

const partWords = { NotificationType: 'channel', Destination: 'destination', CustomHeaders: 'headers' };

/** What a request is about, in words. */
export function summaryOf({ isNew, changedParts }: Pick<Change, 'isNew' | 'changedParts'>): string {
  if (isNew) return 'New recipient';
  const parts = changedParts.map((part) => partWords[part]);
  return parts.length === 0 ? 'Recipient' : words(`${parts.join(' and ')} of a recipient`);
}
