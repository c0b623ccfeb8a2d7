import { Checkbox, NumberInput, Select } from '@mantine/core';
import {
  type AnomalyWatch,
  anomalyDefaults,
  anomalyDirections,
  anomalySensitivities,
  type Subscription,
  SubscriptionChange,
  updateSubscription,
} from '@svc/contract';
import { type Errors, useForm } from '../../../lib/form.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { HolidayFields } from './holiday-fields.tsx';
import { directionWords, sensitivityWords } from './words.ts';

type Props = { readonly record: Subscription; readonly onClose: () => void };
type Values = { readonly anomaly: AnomalyWatch | null; readonly isTrigger: boolean };

/** Settings of anomaly detection for the row counts of a subscription. */
export function WatchDialog({ record, onClose }: Props) {
  const change = useChange(updateSubscription, { headers: () => ifUnchanged(form.version) });
  const initial: Values = {
    anomaly: record.anomaly ?? anomalyDefaults,
    isTrigger: record.notificationTrigger === 'OnAnomaly',
  };
  const form = useForm({
    schema: SubscriptionChange,
    version: record.version,
    initial,
    toBody: ({ anomaly, isTrigger }: Values) => ({
      anomaly,
      ...triggerAfter(record, anomaly !== null && isTrigger),
    }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: record.id }, body });
      toastDone(body.anomaly === null ? 'Row counts are no longer watched.' : 'Row counts are watched.');
      onClose();
    },
  });
  const { anomaly, isTrigger } = form.values;
  return (
    <FormDialog title="Watch row counts" form={form} act="Save" onClose={onClose}>
      <p>
        Learns the usual number of rows from earlier runs: level, trend, hours, weekdays and days of the
        month. An unusual number is sent whatever the trigger says, even with no rows.
      </p>
      <Checkbox
        label="Watch the row counts"
        checked={anomaly !== null}
        onChange={(event) =>
          form.set('anomaly', event.currentTarget.checked ? (record.anomaly ?? anomalyDefaults) : null)
        }
      />
      {anomaly !== null && (
        <>
          <WatchFields
            watch={anomaly}
            errors={form.errorsWithin('anomaly')}
            onChange={(part) => form.set('anomaly', { ...anomaly, ...part })}
          />
          <Checkbox
            label="Send only anomalies"
            description="Other runs send nothing."
            checked={isTrigger}
            onChange={(event) => form.set('isTrigger', event.currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}

type FieldsProps = {
  readonly watch: AnomalyWatch;
  readonly errors: Errors;
  readonly onChange: (part: Partial<AnomalyWatch>) => void;
};

function WatchFields({ watch, errors, onChange }: FieldsProps) {
  return (
    <>
      {watch.method === 'Robust' && (
        <Select
          label="Sensitivity"
          data={anomalySensitivities.map((value) => ({ value, label: sensitivityWords[value] }))}
          value={watch.sensitivity}
          allowDeselect={false}
          onChange={(picked) =>
            onChange({ sensitivity: anomalySensitivities.find((one) => one === picked) ?? watch.sensitivity })
          }
        />
      )}
      <Select
        label="Alert on"
        data={anomalyDirections.map((value) => ({ value, label: directionWords[value] }))}
        value={watch.directions}
        allowDeselect={false}
        onChange={(picked) =>
          onChange({ directions: anomalyDirections.find((one) => one === picked) ?? watch.directions })
        }
      />
      {watch.method === 'Percentage' && (
        <NumberInput
          label="Alert from this deviation, in percent"
          value={watch.percent}
          error={errors['percent']}
          clampBehavior="none"
          onChange={(percent) => onChange({ percent: Number(percent) })}
        />
      )}
      <NumberInput
        label="Learn from this many days"
        value={watch.lookbackDays}
        error={errors['lookbackDays']}
        allowDecimal={false}
        clampBehavior="none"
        onChange={(days) => onChange({ lookbackDays: Number(days) })}
      />
      <NumberInput
        label="Ignore below this many rows"
        description="When both the number and what was expected are below it."
        value={watch.floor}
        error={errors['floor']}
        allowDecimal={false}
        clampBehavior="none"
        onChange={(floor) => onChange({ floor: Number(floor) })}
      />
      <HolidayFields watch={watch} errors={errors} onChange={onChange} />
      <Select
        label="Method"
        data={[
          { value: 'Robust', label: 'Learn how much the counts scatter' },
          { value: 'Percentage', label: 'Allow a share of their middle' },
        ]}
        value={watch.method}
        allowDeselect={false}
        onChange={(method) => onChange({ method: method === 'Percentage' ? 'Percentage' : 'Robust' })}
      />
    </>
  );
}

/**
 * Returns the trigger for the choice. A subscription that no longer sends only anomalies notifies of changed counts.
 */
function triggerAfter(record: Subscription, isTrigger: boolean) {
  if (isTrigger) return { notificationTrigger: 'OnAnomaly' as const };
  return record.notificationTrigger === 'OnAnomaly'
    ? { notificationTrigger: 'OnResultCountChange' as const }
    : {};
}
