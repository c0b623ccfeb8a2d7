import type { Change, ChangeStatus } from '@svc/contract';
import { words } from '../../lib/format.ts';
import { Status, type Tone } from '../../ui/record/status.tsx';

const tones: Readonly<{ [status in ChangeStatus]: Tone }> = {
  Pending: 'amber',
  Approved: 'green',
  Rejected: 'red',
  Withdrawn: 'neutral',
};

/** State of a request. */
export const ChangeState = ({ status }: { readonly status: ChangeStatus }) => (
  <Status tone={tones[status]}>{status === 'Pending' ? 'Waiting' : status}</Status>
);

const partWords: Readonly<{ [part in Change['changedParts'][number]]: string }> = {
  NotificationType: 'channel',
  Destination: 'destination',
  CustomHeaders: 'headers',
  Name: 'name',
  Description: 'description',
  Step: 'steps',
  FinalQuery: 'final query',
  Parameter: 'parameters',
};

/** Returns a description of the request. */
export function summaryOf({
  kind,
  isNew,
  changedParts,
}: Pick<Change, 'kind' | 'isNew' | 'changedParts'>): string {
  if (kind === 'Plan') return 'Plan of an AI actor';
  const subject = kind === 'Query' ? 'query' : 'recipient';
  if (isNew) return `New ${subject}`;
  const parts = [...new Set(changedParts.map((part) => partWords[part]))];
  const listed = new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
  return words(parts.length === 0 ? subject : `${listed} of a ${subject}`);
}
