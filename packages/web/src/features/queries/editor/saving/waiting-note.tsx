import type { Query } from '@svc/contract';
import { WaitingVersion } from '../../versions/waiting-version.tsx';

type Props = {
  readonly record: Query;
  /** The editor shows the text of the waiting version. */
  readonly isShown: boolean;
  readonly onWithdrawn: (record: Query) => void;
};

const untilThen = ({ versionNumber }: Query): string =>
  versionNumber === null ? 'Until then the query does not run.' : `Until then version ${versionNumber} runs.`;

/** Note above the text that a version waits for approval, visible before a user edits the text. */
export function WaitingNote({ record, isShown, onWithdrawn }: Props) {
  const consequence = record.pendingVersion?.isOwn
    ? `${isShown ? 'The text below is your version.' : 'The text below is not that version.'} ${untilThen(record)}`
    : 'A change can be saved here after an Approver has decided on that version or its author has withdrawn it.';
  return <WaitingVersion record={record} consequence={consequence} onWithdrawn={onWithdrawn} />;
}
