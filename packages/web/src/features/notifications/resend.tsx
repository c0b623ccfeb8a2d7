import { Button } from '@mantine/core';
import {
  type Delivery,
  type NotificationDetail,
  resendDelivery,
  resendFailedDeliveries,
} from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { Icon } from '../../ui/text/icons.tsx';

const undone: ReadonlySet<Delivery['state']> = new Set(['Failed', 'Unknown', 'Skipped']);

/**
 * Returns true if a delivery can be repeated: it is the last attempt, it has ended, and the message is still stored.
 */
export const canResend = (run: NotificationDetail, delivery: Delivery): boolean =>
  run.isMessageKept &&
  run.finishedAt !== null &&
  undone.has(delivery.state) &&
  !run.deliveries.some((other) => other.messageId === delivery.messageId && other.attempt > delivery.attempt);

type ResendProps = {
  readonly runId: number;
  readonly delivery: Delivery;
  /** Called after the service has accepted the request. The attempt itself is still pending. */
  readonly onOrdered: (deliveries: readonly Delivery[]) => void;
};

/** Repeats one delivery with the unchanged message. */
export function ResendButton({ runId, delivery, onOrdered }: ResendProps) {
  const resend = useChange(resendDelivery);
  return (
    <Button
      size="compact-sm"
      aria-label={`Send again to ${delivery.recipientName}`}
      loading={resend.isPending}
      onClick={() =>
        void resend
          .mutateAsync({ params: { id: runId, deliveryId: delivery.id } })
          .then(() => onOrdered([delivery]), toastProblem)
      }
    >
      Send again
    </Button>
  );
}

/** Repeats all failed deliveries of a run. Renders nothing without failed deliveries. */
export function ResendFailedButton({
  record,
  onOrdered,
}: Pick<ResendProps, 'onOrdered'> & { readonly record: NotificationDetail }) {
  const { canWrite } = useRights();
  const resend = useChange(resendFailedDeliveries);
  const failed = record.deliveries.filter(
    (delivery) => delivery.state === 'Failed' && canResend(record, delivery),
  );
  if (!canWrite || failed.length < 2) return null;
  return (
    <Button
      leftSection={<Icon name="send" />}
      loading={resend.isPending}
      onClick={() =>
        void resend
          .mutateAsync({ params: { id: record.id }, body: {} })
          .then(() => onOrdered(failed), toastProblem)
      }
    >
      Send {failed.length} failed again
    </Button>
  );
}
