import { Checkbox, Select } from '@mantine/core';
import type { AlertRule } from '@svc/contract';
import { WholeNumber } from '../../ui/form/whole-number.tsx';
import { alertRunsError } from './alert-runs.ts';

const never = 'never';
const reminders = [
  { value: never, label: 'Never' },
  { value: '60', label: 'Every hour' },
  { value: '240', label: 'Every 4 hours' },
  { value: '1440', label: 'Every day' },
  { value: '10080', label: 'Every week' },
] as const;

/** What the alert is of, as its fields say it. */
export type AlertWords = {
  readonly pending: string;
  readonly recover: string;
  readonly remind: string;
  readonly recovery: string;
};

type Props = {
  readonly value: AlertRule;
  readonly words: AlertWords;
  readonly onChange: (value: AlertRule) => void;
};

/** When an alert opens, is repeated and ends. 0 is a number that is not given yet. */
export function AlertFields({ value: alert, words, onChange }: Props) {
  const set = (part: Partial<AlertRule>) => onChange({ ...alert, ...part });
  const remind = alert.remindMinutes === null ? never : String(alert.remindMinutes);
  const isListed = reminders.some(({ value }) => value === remind);
  return (
    <fieldset className="stack-tight" style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="visually-hidden">Alert</legend>
      <div className="row wrap" style={{ gap: 16, alignItems: 'flex-end' }}>
        <WholeNumber
          label={words.pending}
          value={alert.pendingRuns || null}
          error={alertRunsError(alert.pendingRuns)}
          onChange={(runs) => set({ pendingRuns: runs ?? 0 })}
        />
        <WholeNumber
          label={words.recover}
          value={alert.recoverRuns || null}
          error={alertRunsError(alert.recoverRuns)}
          onChange={(runs) => set({ recoverRuns: runs ?? 0 })}
        />
        <Select
          label={words.remind}
          allowDeselect={false}
          data={
            isListed ? [...reminders] : [...reminders, { value: remind, label: `Every ${remind} minutes` }]
          }
          value={remind}
          onChange={(value) =>
            set({ remindMinutes: value === null || value === never ? null : Number(value) })
          }
        />
      </div>
      <Checkbox
        label={words.recovery}
        checked={alert.tellsRecovery}
        onChange={(event) => set({ tellsRecovery: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
