import { Checkbox, Select } from '@mantine/core';
import type { AlertRule } from '@svc/contract';
import { plural } from '../../lib/format.ts';
import { WholeNumber } from '../../ui/form/whole-number.tsx';

const never = 'never';
const reminders = [
  { value: never, label: 'Never' },
  { value: '60', label: 'Every hour' },
  { value: '240', label: 'Every 4 hours' },
  { value: '1440', label: 'Every day' },
  { value: '10080', label: 'Every week' },
] as const;
const runsMax = 10;

/** Returns the error of a number of consecutive runs. Undefined if it is valid. 0 means that the field is empty. */
export const alertRunsError = (runs: number): string | undefined =>
  Number.isInteger(runs) && runs >= 1 && runs <= runsMax ? undefined : `From 1 to ${runsMax}.`;

/** Labels of the conditions, in the terms of the page. */
export type AlertWords = {
  readonly opens: string;
  readonly ends: string;
  readonly reminds: string;
  readonly recovers: string;
};

type Props = {
  readonly value: AlertRule;
  readonly words: AlertWords;
  readonly onChange: (value: AlertRule) => void;
};

/** Fields for the conditions under which an alert opens, repeats and ends. */
export function AlertRuleFields({ value, words, onChange }: Props) {
  const set = (part: Partial<AlertRule>) => onChange({ ...value, ...part });
  const remind = value.remindMinutes === null ? never : String(value.remindMinutes);
  const isListed = reminders.some((each) => each.value === remind);
  return (
    <fieldset className="stack-tight" style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="visually-hidden">Alert</legend>
      <div className="row wrap" style={{ gap: 16, alignItems: 'flex-end' }}>
        <WholeNumber
          label={words.opens}
          value={value.pendingRuns || null}
          error={alertRunsError(value.pendingRuns)}
          onChange={(runs) => set({ pendingRuns: runs ?? 0 })}
        />
        <WholeNumber
          label={words.ends}
          value={value.recoverRuns || null}
          error={alertRunsError(value.recoverRuns)}
          onChange={(runs) => set({ recoverRuns: runs ?? 0 })}
        />
        <Select
          label={words.reminds}
          allowDeselect={false}
          data={
            isListed
              ? [...reminders]
              : [...reminders, { value: remind, label: `Every ${plural(Number(remind), 'minute')}` }]
          }
          value={remind}
          onChange={(minutes) =>
            set({ remindMinutes: minutes === null || minutes === never ? null : Number(minutes) })
          }
        />
      </div>
      <Checkbox
        label={words.recovers}
        checked={value.tellsRecovery}
        onChange={(event) => set({ tellsRecovery: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
