import type { MissedReason, Subscription } from '@svc/contract';
import { plural } from '../../lib/format.ts';
import { Icon } from '../../ui/text/icons.tsx';
import { Time, Until } from '../../ui/text/time.tsx';

/** Reasons for due times without a run. */
const missedWords: { readonly [reason in MissedReason]: string } = {
  NotStarted: 'did not start in time',
  PreviousRunning: 'skipped because the previous run was still running',
};

/** Notices about conditions that prevent runs or notifications. */
export function SubscriptionNotices({ record }: { readonly record: Subscription }) {
  const isActive = record.state === 'Active';
  return (
    <>
      {record.stoppedBecause !== null && (
        <p role="alert" className="notice" style={{ marginBottom: 12 }}>
          <Icon name="warning" />
          <span>This subscription was stopped by the service: {record.stoppedBecause}</span>
        </p>
      )}
      {record.pausedSince !== null && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="pause" />
          <span>
            Paused <Time at={record.pausedSince} />: its schedule does not run until it is resumed. It can
            still be tested.
          </span>
        </p>
      )}
      {record.snoozedUntil !== null && isActive && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="notification" />
          <span>
            Alerts are snoozed <Until at={record.snoozedUntil} />
            {record.snoozeReason === null ? '.' : `: ${record.snoozeReason}`}
          </span>
        </p>
      )}
      {record.lastMissed !== null && isActive && (
        <p role="alert" className="notice" style={{ marginBottom: 12 }}>
          <Icon name="warning" />
          <span>
            {plural(record.lastMissed.missedCount, 'run')} {missedWords[record.lastMissed.reason]}, due from{' '}
            <Time at={record.lastMissed.firstDueAt} /> to <Time at={record.lastMissed.lastDueAt} />.
          </span>
        </p>
      )}
    </>
  );
}
