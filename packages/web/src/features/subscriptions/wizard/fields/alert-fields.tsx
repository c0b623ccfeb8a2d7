import { AlertRuleFields } from '../../../../views/alerts/alert-rule-fields.tsx';
import type { StepProps } from '../choices.ts';

const words = {
  opens: 'Alert after this many runs with rows',
  ends: 'Recovered after this many runs without rows',
  reminds: 'Remind while there are rows',
  recovers: 'Alert when the rows are gone',
};

/** Conditions under which an alert about rows opens, repeats and ends. */
export const AlertFields = ({ choices, change }: StepProps) => (
  <AlertRuleFields value={choices.alert} words={words} onChange={(alert) => change({ alert })} />
);
