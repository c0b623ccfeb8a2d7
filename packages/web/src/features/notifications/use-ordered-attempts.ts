import type { Delivery, NotificationDetail } from '@svc/contract';
import { useEffect, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { toastDone, toastFailed } from '../../ui/feedback/toast.tsx';

const underWay: ReadonlySet<Delivery['state']> = new Set(['Queued', 'Sending']);

/** Returns the ended attempt that follows a requested attempt. */
const outcomeOf = (run: NotificationDetail, ordered: Delivery): Delivery | undefined =>
  run.deliveries.find(
    (delivery) =>
      delivery.messageId === ordered.messageId &&
      delivery.attempt > ordered.attempt &&
      !underWay.has(delivery.state),
  );

function tell(outcomes: readonly Delivery[]): void {
  const failed = outcomes.filter(({ state }) => state !== 'Sent');
  const [first] = failed;
  if (!first) {
    const names = outcomes.map(({ recipientName }) => recipientName);
    toastDone(
      names.length === 1 ? `Sent again to ${names[0]}.` : `${plural(names.length, 'recipient')} got it now.`,
    );
    return;
  }
  const why = first.reason === null ? '' : ` ${first.reason}`;
  toastFailed(
    outcomes.length === 1
      ? `Sending again to ${first.recipientName} failed.${why}`
      : `${failed.length} of ${plural(outcomes.length, 'delivery', 'deliveries')} failed again. ${first.recipientName}:${why}`,
  );
}

/**
 * Follows attempts that the user requested on this page, and reports their results. An accepted request does not yet
 * mean a successful delivery.
 */
export function useOrderedAttempts(run: NotificationDetail): (ordered: readonly Delivery[]) => void {
  const [waiting, setWaiting] = useState<readonly Delivery[]>([]);
  useEffect(() => {
    if (waiting.length === 0) return;
    const outcomes = waiting.flatMap((ordered) => outcomeOf(run, ordered) ?? []);
    if (outcomes.length < waiting.length) return;
    setWaiting([]);
    tell(outcomes);
  }, [run, waiting]);
  return (ordered) => setWaiting((before) => [...before, ...ordered]);
}
