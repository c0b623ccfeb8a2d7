import type { Subscription } from '@svc/contract';
import { Status } from '../../ui/record/status.tsx';

type Props = {
  readonly record: Pick<Subscription, 'state' | 'pausedSince'> &
    Partial<Pick<Subscription, 'alertState' | 'snoozedUntil' | 'lastRun'>>;
};

/** State of a subscription. A problem takes precedence over the state of its schedule. */
export function SubscriptionState({
  record: { state, pausedSince, alertState, snoozedUntil, lastRun },
}: Props) {
  if (state === 'Archived') return <Status tone="neutral">Archived</Status>;
  if (alertState?.state === 'Firing' || alertState?.state === 'Recovering')
    return alertState.acknowledgement ? (
      <Status tone="amber">Acknowledged</Status>
    ) : (
      <Status tone="red">Firing</Status>
    );
  if (pausedSince !== null) return <Status tone="amber">Paused</Status>;
  if (lastRun?.status === 'Failed' || lastRun?.status === 'Timeout')
    return <Status tone="red">Failing</Status>;
  if (snoozedUntil) return <Status tone="neutral">Snoozed</Status>;
  return <Status tone="green">Active</Status>;
}
