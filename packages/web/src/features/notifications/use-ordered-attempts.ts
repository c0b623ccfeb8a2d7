import type { Delivery, NotificationDetail } from '@svc/contract';
import { useEffect, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { toastDone, toastFailed } from '../../ui/feedback/toast.tsx';

const underWay: ReadonlySet<Delivery['state']> = new Set(['Queued', 'Sending']);

/** The attempt that follows an ordered one, once it is over. */
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
 * Follows attempts that somebody ordered on this page until they are over, and says what came of them: that the
 * service took the order says nothing about the delivery.
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
