import type { AnomalyPoint } from '@svc/contract';
import { count, plural, shortTime } from '../../lib/format.ts';
import classes from './count-chart.module.css';

const width = 600;
const height = 160;
const pad = 6;

/** Row count of one run. With anomaly detection, it has the expected range and the verdict. */
export type CountPoint = Pick<AnomalyPoint, 'notificationId' | 'dueAt' | 'resultCount'> &
  Partial<Omit<AnomalyPoint, 'notificationId' | 'dueAt' | 'resultCount'>>;

type Props = {
  /** Oldest first. */
  readonly points: readonly CountPoint[];
  /** Minimum number of rows that notifies. */
  readonly threshold?: number | null;
  /** Noun of a count. Rules are counted by evaluations, rows by runs. */
  readonly counted?: 'row' | 'rule';
};

/**
 * Counts of the runs, with the expected range, the threshold, and anomalies marked by colour and shape. A table of
 * the page contains the numbers for screen readers.
 */
export function CountChart({ points, threshold = null, counted = 'row' }: Props) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const top = Math.max(
    1,
    threshold ?? 0,
    ...points.map(({ resultCount, upper }) => Math.max(resultCount, upper ?? 0)),
  );
  const x = (at: number) => pad + (points.length === 1 ? 0 : (at / (points.length - 1)) * (width - 2 * pad));
  const y = (value: number) => height - pad - (value / top) * (height - 2 * pad);
  return (
    <figure style={{ margin: 0 }}>
      <span className={classes['ends']}>
        <span>{plural(top, counted)}</span>
        {threshold !== null && <span>{`Alerts from ${plural(threshold, 'row')}`}</span>}
      </span>
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={labelOf(points, last, { threshold, counted })}
      >
        {bandsOf(points).map((band) =>
          band.length === 1 ? (
            <Lone key={band[0]?.at} band={band} x={x} y={y} />
          ) : (
            <polygon
              key={band[0]?.at}
              className={classes['band']}
              points={[
                ...band.map(({ at, upper }) => `${x(at)},${y(upper)}`),
                ...band.toReversed().map(({ at, lower }) => `${x(at)},${y(lower)}`),
              ].join(' ')}
            />
          ),
        )}
        <line className={classes['axis']} x1={0} x2={width} y1={y(0)} y2={y(0)} />
        {threshold !== null && (
          <line className={classes['threshold']} x1={0} x2={width} y1={y(threshold)} y2={y(threshold)} />
        )}
        <polyline
          className={classes['line']}
          points={points.map((point, at) => `${x(at)},${y(point.resultCount)}`).join(' ')}
        />
        {points.map((point, at) => (
          <Mark
            key={point.notificationId}
            point={point}
            counted={counted}
            x={x(at)}
            y={y(point.resultCount)}
          />
        ))}
      </svg>
      <span className={classes['ends']}>
        <span>{shortTime(first.dueAt)}</span>
        {points.length > 1 && <span>{shortTime(last.dueAt)}</span>}
      </span>
    </figure>
  );
}

function labelOf(
  points: readonly CountPoint[],
  last: CountPoint,
  { threshold, counted }: Required<Pick<Props, 'threshold' | 'counted'>>,
): string {
  const unusualCount = points.filter(({ severity }) => severity != null).length;
  const thresholdText = threshold === null ? '' : `, alerts from ${count(threshold)}`;
  const [heading, noun] = counted === 'row' ? ['Rows', 'run'] : ['Rules that did not pass', 'evaluation'];
  return `${heading} of ${plural(points.length, noun)}: ${count(last.resultCount)} at the end, ${unusualCount} unusual${thresholdText}`;
}

type BandPoint = { readonly at: number; readonly lower: number; readonly upper: number };

/** Returns consecutive runs that have an expected range. */
function bandsOf(points: readonly CountPoint[]): readonly (readonly BandPoint[])[] {
  const bands: BandPoint[][] = [];
  let open: BandPoint[] | undefined;
  for (const [at, { lower, upper }] of points.entries()) {
    if (lower == null || upper == null) {
      open = undefined;
      continue;
    }
    if (!open) {
      open = [];
      bands.push(open);
    }
    open.push({ at, lower, upper });
  }
  return bands;
}

/** Expected range of a single run whose neighbours have none. */
function Lone({
  band,
  x,
  y,
}: {
  readonly band: readonly BandPoint[];
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}) {
  return band.map(({ at, lower, upper }) => (
    <line key={at} className={classes['lone']} x1={x(at)} x2={x(at)} y1={y(lower)} y2={y(upper)} />
  ));
}

/**
 * Mark of a run: a dot, or a larger square for an anomaly. It is a line of zero length, whose caps retain their shape
 * when the drawing is stretched.
 */
function Mark({
  point,
  counted,
  x,
  y,
}: {
  readonly point: CountPoint;
  readonly counted: 'row' | 'rule';
  readonly x: number;
  readonly y: number;
}) {
  const { severity = null, verdict, resultCount, dueAt } = point;
  const kind = severity === null ? 'dot' : verdict === 'Expected' ? 'expected' : 'odd';
  return (
    <line className={classes[kind]} x1={x} x2={x} y1={y} y2={y}>
      <title>{`${shortTime(dueAt)}: ${point.explanation ?? plural(resultCount, counted)}`}</title>
    </line>
  );
}
