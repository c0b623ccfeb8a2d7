import type { DataContract } from '@svc/contract';
import { limitText, plural } from '../../../lib/format.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { Time, Until } from '../../../ui/text/time.tsx';

/** Notices about missed evaluations, an older setting and a snooze. */
export function ContractNotices({ record }: { readonly record: DataContract }) {
  return (
    <>
      {record.lastMissed !== null && (
        <p role="alert" className="notice" style={{ marginBottom: 12 }}>
          <Icon name="warning" />
          <span>
            {plural(record.lastMissed.missedCount, 'evaluation')} did not start in time, due from{' '}
            <Time at={record.lastMissed.firstDueAt} /> to <Time at={record.lastMissed.lastDueAt} />.
          </span>
        </p>
      )}
      {record.failsOn === 'Score' && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="about" />
          <span>
            A failed rule fails this contract only if it is critical or the score is below{' '}
            {limitText(record.failScore)}. Contracts of earlier versions keep this setting. To fail on each
            failed rule, edit the contract.
          </span>
        </p>
      )}
      {record.snoozedUntil !== null && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="notification" />
          <span>
            Alerts are snoozed <Until at={record.snoozedUntil} />
            {record.snoozeReason === null ? '.' : `: ${record.snoozeReason}`}
          </span>
        </p>
      )}
    </>
  );
}
