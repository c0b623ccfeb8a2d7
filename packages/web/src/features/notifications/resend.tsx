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

/** Whether a delivery can be made again: the last attempt at its message, over, and the message still kept. */
export const canResend = (run: NotificationDetail, delivery: Delivery): boolean =>
  run.isMessageKept &&
  run.finishedAt !== null &&
  undone.has(delivery.state) &&
  !run.deliveries.some((other) => other.messageId === delivery.messageId && other.attempt > delivery.attempt);

type ResendProps = {
  readonly runId: number;
  readonly delivery: Delivery;
  /** The service took the order; the attempt itself is still to come. */
  readonly onOrdered: (deliveries: readonly Delivery[]) => void;
};

/** Makes one delivery again, with the message as it was. */
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

/** Makes all failed deliveries of a run again; shown when there are any. */
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
