import type { LearningStats } from '@svc/contract';
import { count, scoreText } from '../../lib/format.ts';
import classes from './stats.module.css';

/** Success rate of statements, and the state of learned patterns. */
export function LearningFigures({ stats }: { readonly stats: LearningStats | undefined }) {
  const rate = stats?.successRate ?? null;
  const figures: readonly (readonly [string, string])[] = [
    ['Statements in 7 days', number(stats?.signals7d)],
    ['In 30 days', number(stats?.signals30d)],
    ['Answered', rate === null ? '–' : `${scoreText(rate * 100)} %`],
    ['Patterns approved', number(stats?.patternsApproved)],
    ['Rejected', number(stats?.patternsRejected)],
    ['Patches applied', number(stats?.patchesApplied)],
  ];
  return (
    <dl className={classes['figures']} aria-busy={stats === undefined}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const number = (value: number | undefined): string => (value === undefined ? '–' : count(value));
