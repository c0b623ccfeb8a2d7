import { Button, Checkbox, TextInput } from '@mantine/core';
import { resendFailedOfWindow } from '@svc/contract';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastNote } from '../../ui/feedback/toast.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';

const dayMs = 86_400_000;

/** Formats a time for a `datetime-local` field, in the zone of the browser. */
const fieldTime = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Resends all failed deliveries of a time window. */
export function ResendWindowDialog({ onClose }: { readonly onClose: () => void }) {
  const [from, setFrom] = useState(() => fieldTime(new Date(Date.now() - dayMs)));
  const [to, setTo] = useState(() => fieldTime(new Date()));
  const [includesUnknown, setIncludesUnknown] = useState(false);
  const resend = useChange(resendFailedOfWindow);
  const isFilled = from !== '' && to !== '';
  const send = async () => {
    const { orderedCount, isCut } = await resend.mutateAsync({
      body: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), includesUnknown },
    });
    const more = isCut ? ' There are more: send again for the rest.' : '';
    toastNote(
      orderedCount === 0
        ? 'No failed delivery of that time can be sent again.'
        : `Sending ${plural(orderedCount, 'delivery', 'deliveries')} again. Each run shows what comes of it.${more}`,
    );
    onClose();
  };
  return (
    <Dialog onClose={onClose} title="Send failed deliveries again" size={440}>
      <div className="stack">
        <ProblemNote error={resend.error} />
        <p>
          Each recipient gets the message of its run as it was, with approval and address checked again. Runs
          stay Failed and show when they recovered.
        </p>
        <TextInput
          type="datetime-local"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          type="datetime-local"
          label="To"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Checkbox
          label="Also those that may have arrived"
          description="Deliveries that were cut short; the recipient may get them twice."
          checked={includesUnknown}
          onChange={(event) => setIncludesUnknown(event.currentTarget.checked)}
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="filled"
            disabled={!isFilled}
            loading={resend.isPending}
            onClick={() => void send().catch(() => undefined)}
          >
            Send again
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
