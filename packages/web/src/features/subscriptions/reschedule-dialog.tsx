import { ReplaceSubscriptionBody, replaceSubscription, type Subscription } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { expressionOf, firstPlan, type Plan } from '../../views/schedule/cron.ts';
import { ScheduleFields } from '../../views/schedule/schedule-fields.tsx';
import { OverlapWarning } from './wizard/fields/overlap-fields.tsx';

type Props = { readonly record: Subscription; readonly onClose: () => void };

/** Changes the schedule: a new subscription replaces this one, so that the history of each remains comparable. */
export function RescheduleDialog({ record, onClose }: Props) {
  const go = useGo();
  const replace = useChange(replaceSubscription, {
    touches: ['queries', 'tasks'],
    headers: () => ifUnchanged(form.version),
  });
  const { cronExpression, timeZone } = record.schedule;
  const plan: Plan = { ...firstPlan, kind: 'custom', expression: cronExpression };
  const form = useForm({
    schema: ReplaceSubscriptionBody,
    version: record.version,
    initial: { plan, timeZone },
    toBody: (values) => ({ cronExpression: expressionOf(values.plan), timeZone: values.timeZone }),
    send: async (body) => {
      const { id } = await replace.mutateAsync({ params: { id: record.id }, body });
      toastDone('It runs on its new schedule. The runs before stay with the archived subscription.', {
        to: paths.subscription(record.id),
        label: 'See it',
      });
      go(paths.subscription(id), { isSaved: true });
    },
  });
  return (
    <FormDialog title="Change the schedule" form={form} act="Change schedule" onClose={onClose} size={600}>
      <p>
        A new subscription takes the place of this one, with its recipients, settings, alert and open task.
        This one is archived and keeps its runs.
      </p>
      <ScheduleFields
        plan={form.values.plan}
        timeZone={form.values.timeZone}
        onPlan={(next) => form.set('plan', next)}
        onTimeZone={(next) => form.set('timeZone', next)}
      />
      <OverlapWarning queryId={record.queryId} plan={form.values.plan} timeZone={form.values.timeZone} />
    </FormDialog>
  );
}
