import type { TowerHealth, TowerHealthEntry, TowerReason } from '@svc/contract';
import { plural, scoreText } from '../../lib/format.ts';
import { Status, type Tone } from '../../ui/record/status.tsx';

export const healthTones: Readonly<Record<TowerHealth, Tone>> = {
  Stalled: 'red',
  Critical: 'red',
  Warning: 'amber',
  New: 'blue',
  Healthy: 'green',
};

/** Formats a share of runs in percent, rounded down. Returns a dash if no run was judged. */
export const share = (value: number | null): string => (value === null ? '–' : `${scoreText(value * 100)}%`);

const runsOf = ({ kind }: TowerHealthEntry): string => (kind === 'Contract' ? 'evaluations' : 'runs');

const reasonWords: Readonly<Record<TowerReason, (entry: TowerHealthEntry) => string>> = {
  DueRunNotStarted: () => 'A run that was due has not started',
  LastRunFailed: () => 'The last run failed',
  ContractFailed: () => 'The data broke the contract',
  LowSuccessRate: (entry) => `Only ${share(entry.successRate)} of its ${runsOf(entry)} went well`,
  ReducedSuccessRate: (entry) => `${share(entry.successRate)} of its ${runsOf(entry)} went well`,
  RunsMissed: () => 'Runs were missed',
  ContractError: () => 'The last evaluation had errors',
  ContractWarned: () => 'The last evaluation warned',
  AnomalyOpen: () => 'An unusual number of rows',
  TaskOverdue: () => 'Its task is overdue',
  NoRuns: (entry) => `No ${runsOf(entry)} in this time`,
};

/** Returns the most severe reason in words, and the number of further reasons. */
export function reasonOf(entry: TowerHealthEntry): string {
  const [first, ...more] = entry.reasons;
  if (first === undefined) return '';
  const text = reasonWords[first](entry);
  return more.length === 0 ? text : `${text}, and ${plural(more.length, 'more reason')}`;
}

export const allReasons = (entry: TowerHealthEntry): string =>
  entry.reasons.map((reason) => reasonWords[reason](entry)).join('. ');

export const HealthStatus = ({ health }: { readonly health: TowerHealth }) => (
  <Status tone={healthTones[health]}>{health}</Status>
);
