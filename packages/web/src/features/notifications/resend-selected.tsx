import { Button } from '@mantine/core';
import { type Notification, resendFailedDeliveries } from '@svc/contract';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastNote, toastProblem } from '../../ui/feedback/toast.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { Icon } from '../../ui/text/icons.tsx';

/** Resends the failed deliveries of the selected runs. Refused runs remain selected, with the reason. */
export function ResendSelected({ selection }: { readonly selection: Selection<Notification> }) {
  const resend = useChange(resendFailedDeliveries);
  const [isSending, setSending] = useState(false);
  const failed = selection.rows.filter(({ status }) => status === 'Failed');
  const send = async () => {
    setSending(true);
    let ordered = 0;
    const refused: number[] = [];
    for (const { id } of failed) {
      try {
        ordered += (await resend.mutateAsync({ params: { id }, body: {} })).orderedCount;
      } catch (error) {
        refused.push(id);
        toastProblem(error);
      }
    }
    toastNote(
      ordered === 0
        ? 'No failed delivery of these runs can be sent again.'
        : `Sending ${plural(ordered, 'delivery', 'deliveries')} again. Each run shows what comes of it.`,
    );
    selection.keep(refused);
    setSending(false);
  };
  return failed.length === 0 ? (
    <span className="soft">None of them failed.</span>
  ) : (
    <Button
      variant="filled"
      leftSection={<Icon name="send" />}
      loading={isSending}
      onClick={() => void send()}
    >
      Resend {plural(failed.length, 'failed run')}
    </Button>
  );
}
