import type { RecentRun } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { recentRuns } from '../../requests/runs/recent-runs.ts';
import classes from './sparkline.module.css';

const width = 96;
const height = 20;
const pad = 3;

/** Row counts of a subscription's last runs, for a cell of a list. Failed runs are marks below the line. */
export function Sparkline({ subscriptionId }: { readonly subscriptionId: number }) {
  const { data: runs = [] } = useQuery(recentRuns(subscriptionId));
  const counts = runs.flatMap(({ resultCount }) => (resultCount === null ? [] : [resultCount]));
  const last = counts.at(-1);
  // The cell reserves its height while it has no runs.
  if (runs.length === 0) return <span className={classes['room']} />;
  const top = Math.max(1, ...counts);
  const x = (at: number) => pad + (runs.length === 1 ? 0 : (at / (runs.length - 1)) * (width - 2 * pad));
  const y = (value: number) => height - pad - (value / top) * (height - 2 * pad);
  const failed = runs.filter(isBad).length;
  const rows =
    last === undefined ? 'no rows were counted' : `${count(last)} at the end, ${count(top)} at most`;
  return (
    <svg
      className={classes['room']}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Rows of the last ${plural(runs.length, 'run')}: ${rows}${failed > 0 ? `; ${failed} failed` : ''}`}
    >
      {stretchesOf(runs).map((stretch) => (
        <polyline
          key={stretch[0]?.at}
          className={classes['line']}
          points={stretch.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}
        />
      ))}
      {runs.map((run, at) =>
        isBad(run) ? (
          <line
            key={run.notificationId}
            className={classes['failed']}
            x1={x(at)}
            x2={x(at)}
            y1={height - 6}
            y2={height}
          />
        ) : (
          at === runs.length - 1 &&
          run.resultCount !== null && (
            <circle
              key={run.notificationId}
              className={classes['end']}
              cx={x(at)}
              cy={y(run.resultCount)}
              r={2}
            />
          )
        ),
      )}
    </svg>
  );
}

const isBad = ({ status }: RecentRun): boolean => status === 'Failed' || status === 'Timeout';

type Dot = { readonly at: number; readonly value: number };

/** Returns consecutive runs with a count. A run without a count leaves a gap. */
function stretchesOf(runs: readonly RecentRun[]): readonly (readonly Dot[])[] {
  const stretches: Dot[][] = [[]];
  for (const [at, { resultCount }] of runs.entries()) {
    if (resultCount === null) stretches.push([]);
    else stretches.at(-1)?.push({ at, value: resultCount });
  }
  return stretches.filter(({ length }) => length > 0);
}
