import type { Recipient } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { usesOf } from './requests/uses.ts';

type Props = { readonly record: Recipient; readonly onClose: () => void };

/** Subscriptions and contracts that send to a recipient. Lists only the records that the user can read. */
export function UsesDialog({ record, onClose }: Props) {
  const useCount = record.subscriptionCount + record.contractCount;
  const uses = useQuery(usesOf(record.id));
  const hidden = uses.data ? useCount - uses.data.totalCount : 0;
  return (
    <Dialog onClose={onClose} title={`Used by: ${record.name}`} size={480}>
      <div className="stack">
        {uses.isLoadingError && <ProblemView error={uses.error} onRetry={() => void uses.refetch()} />}
        {uses.data && useCount === 0 && <p>No subscription and no data contract sends here.</p>}
        {uses.data && uses.data.items.length > 0 && (
          <ul>
            {uses.data.items.map((use) => (
              <li key={`${use.subscriptionId ?? ''}/${use.contractId ?? ''}`}>
                {use.subscriptionId === null ? (
                  use.contractName
                ) : (
                  <Link to={paths.subscription(use.subscriptionId)}>{use.queryName}</Link>
                )}{' '}
                <span className="soft">in {use.projectName}</span>
              </li>
            ))}
          </ul>
        )}
        {hidden > 0 && (
          <p className="soft">
            {count(hidden)} more in projects that you cannot read: renaming the recipient is possible,
            redirecting it is not.
          </p>
        )}
      </div>
    </Dialog>
  );
}
