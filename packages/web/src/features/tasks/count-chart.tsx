import type { TaskResultHistory } from '@svc/contract';
import { count, plural, shortTime } from '../../lib/format.ts';
import classes from './count-chart.module.css';

const width = 600;
const height = 120;
const barMax = 24;

/** Row counts of the last runs, on an axis that starts at 0. Its numbers stand in the table of runs, for readers. */
export function CountChart({ points }: Pick<TaskResultHistory, 'points'>) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const top = Math.max(1, ...points.map((point) => point.resultCount));
  const step = Math.min(barMax, width / points.length);
  return (
    <figure style={{ margin: 0 }}>
      <span className={classes['ends']}>{plural(top, 'row')}</span>
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Rows of the last ${plural(points.length, 'run')}: ${count(last.resultCount)} at the end, ${count(top)} at most`}
      >
        {points.map((point, index) => {
          const tall = Math.max(2, (point.resultCount / top) * (height - 2));
          return (
            <rect
              key={point.notificationId}
              className={point.resultCount === 0 ? classes['none'] : classes['bar']}
              x={index * step}
              y={height - tall}
              width={Math.max(1, step - 1)}
              height={tall}
            >
              <title>{`${shortTime(point.sampledAt)}: ${plural(point.resultCount, 'row')}`}</title>
            </rect>
          );
        })}
        <line className={classes['axis']} x1="0" x2={width} y1={height} y2={height} />
      </svg>
      <span className={classes['ends']}>
        <span>{shortTime(first.sampledAt)}</span>
        {points.length > 1 && <span>{shortTime(last.sampledAt)}</span>}
      </span>
    </figure>
  );
}
