import { type Delivery, previewMessages } from '@svc/contract';
import { useEffect } from 'react';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { PreviewedMessages } from '../../views/messages/previewed-messages.tsx';

type Props = {
  readonly subscriptionId: number;
  readonly notificationId: number;
  readonly delivery: Delivery;
  readonly onClose: () => void;
};

/** Message for one recipient of a run, in the present format of its channel. */
export function MessageDialog({ subscriptionId: id, notificationId, delivery, onClose }: Props) {
  const { recipientId, recipientName } = delivery;
  const { mutateAsync, data, error } = useChange(previewMessages, { touches: [] });
  useEffect(() => {
    const body = { source: 'LastRun', notificationId, recipientId } as const;
    // The refusal is shown below.
    void mutateAsync({ params: { id }, body }).catch(() => undefined);
  }, [mutateAsync, id, notificationId, recipientId]);
  return (
    <Dialog onClose={onClose} title={`Message to ${recipientName}`} size={760}>
      <div className="stack">
        <ProblemNote error={error} />
        {data && <PreviewedMessages preview={data} />}
        {!data && !error && <p role="status">Reading the message…</p>}
      </div>
    </Dialog>
  );
}
