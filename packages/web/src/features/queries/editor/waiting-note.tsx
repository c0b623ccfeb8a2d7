import type { Query } from '@svc/contract';
import { WaitingVersion } from '../versions/waiting-version.tsx';

type Props = { readonly record: Query; readonly onWithdrawn: (record: Query) => void };

const untilThen = ({ versionNumber }: Query): string =>
  versionNumber === null ? 'Until then the query does not run.' : `Until then version ${versionNumber} runs.`;

/** Shows above the text that a version waits, before the author or another user types. */
export function WaitingNote({ record, onWithdrawn }: Props) {
  const consequence = record.pendingVersion?.isOwn
    ? `The text below is your version. ${untilThen(record)}`
    : 'A change can be saved here after an Approver has decided on that version or its author has withdrawn it.';
  return <WaitingVersion record={record} consequence={consequence} onWithdrawn={onWithdrawn} />;
}
