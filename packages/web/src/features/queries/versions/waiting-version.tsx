import { Button } from '@mantine/core';
import { type Query, withdrawQueryVersion } from '@svc/contract';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import { Sentence } from '../../../ui/record/status.tsx';

type Props = {
  readonly record: Query;
  /** Consequence of the waiting version on the page that shows the note. */
  readonly consequence: string;
  readonly onWithdrawn?: (record: Query) => void;
};

/** Shows that a version waits for approval, and lets its author withdraw it. Renders nothing when none waits. */
export function WaitingVersion({ record, consequence, onWithdrawn }: Props) {
  const withdraw = useChange(withdrawQueryVersion, { touches: ['approvals'] });
  const waiting = record.pendingVersion;
  if (waiting === null) return null;
  const author = waiting.isOwn ? '' : `, saved by ${waiting.requestedByUserName ?? 'the service'},`;
  const onWithdraw = async () => {
    try {
      const params = { id: record.id, versionId: waiting.id };
      const changed = await withdraw.mutateAsync({ params });
      onWithdrawn?.(changed);
      toastDone(`Version ${waiting.versionNumber} was withdrawn.`);
    } catch (reason) {
      toastProblem(reason);
    }
  };
  return (
    <section aria-label="Version that waits for approval" className="row wrap">
      <Sentence tone="amber">
        {`Version ${waiting.versionNumber}${author} waits for approval. ${consequence}`}
      </Sentence>
      <Link to={paths.queryVersion(record.id, waiting.id)}>{`See version ${waiting.versionNumber}`}</Link>
      {waiting.isOwn && record.canEdit && (
        <Button size="compact-sm" loading={withdraw.isPending} onClick={() => void onWithdraw()}>
          Withdraw request
        </Button>
      )}
    </section>
  );
}
