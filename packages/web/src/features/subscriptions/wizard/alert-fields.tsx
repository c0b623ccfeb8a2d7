import { AlertRuleFields } from '../../../views/alerts/alert-rule-fields.tsx';
import type { StepProps } from './choices.ts';

const words = {
  opens: 'Told after this many runs with rows',
  ends: 'Over after this many runs without',
  reminds: 'Remind while they stay',
  recovers: 'Tell when the rows are gone',
};

/** When an alert about rows opens, is repeated and ends. */
export const AlertFields = ({ choices, change }: StepProps) => (
  <AlertRuleFields value={choices.alert} words={words} onChange={(alert) => change({ alert })} />
);
