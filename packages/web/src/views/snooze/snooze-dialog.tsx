import { Snooze } from '@svc/contract';
import type { ReactNode } from 'react';
import { useForm } from '../../lib/form.ts';
import { exactTime } from '../../lib/format.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SnoozeSpans, spanDefault, untilOf } from './snooze-spans.tsx';

type Props = {
  /** Reason of the present snooze. Null without one. */
  readonly reason: string | null;
  /** Time zone of "tomorrow, 9:00": that of the record's schedule. */
  readonly timeZone: string;
  /** Activities that continue during the snooze. */
  readonly children: ReactNode;
  readonly onSnooze: (body: Snooze) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Snoozes the alerts of a record. */
export function SnoozeDialog({ reason, timeZone, children, onSnooze, onClose }: Props) {
  const form = useForm({
    schema: Snooze,
    initial: { until: spanDefault, reason: reason ?? '' },
    toBody: (values) => ({ until: untilOf(values.until, timeZone), reason: values.reason.trim() || null }),
    send: async (body) => {
      await onSnooze(body);
      toastDone(`Its alerts are snoozed until ${exactTime(body.until ?? '')}.`);
      onClose();
    },
  });
  return (
    <FormDialog title="Snooze the alerts" form={form} act="Snooze alerts" onClose={onClose}>
      <p>{children}</p>
      <SnoozeSpans
        value={form.values.until}
        onChange={(hours) => form.set('until', hours)}
        error={form.errorOf('until')}
      />
      <TextField form={form} name="reason" label="Why (optional)" maxLength={500} />
    </FormDialog>
  );
}
