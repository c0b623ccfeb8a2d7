import type { ContractEvaluation } from '@svc/contract';
import { plural, shortTime } from '../../lib/format.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { failureInWords, scoreInWords } from './outcome.tsx';
import classes from './score-chart.module.css';

const width = 600;
const height = 140;
const pad = 6;
const top = 100;

type Point = Pick<
  ContractEvaluation,
  'id' | 'createdTime' | 'status' | 'score' | 'failedBecause' | 'failScore'
>;

type Props = {
  /** Ended evaluations, oldest first. */
  readonly points: readonly Point[];
  readonly warnScore: number;
  readonly failScore: number;
  /** Returns the path of the results of an evaluation. */
  readonly to: (point: Point) => string;
};

const y = (score: number): number => height - pad - (score / top) * (height - 2 * pad);

/**
 * Score of each evaluation from 0 to 100, with the thresholds for warning and failure. An evaluation without a score
 * leaves a gap. The table of evaluations has the same content for screen readers and the keyboard.
 */
export function ScoreChart({ points, warnScore, failScore, to }: Props) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const x = (at: number) => ((at + 0.5) / points.length) * width;
  return (
    <figure className={classes['figure']}>
      <span className={classes['ends']}>
        <span>100</span>
        <span>{`Warns below ${scoreInWords(warnScore)}, fails below ${scoreInWords(failScore)}`}</span>
      </span>
      <div className={classes['plot']}>
        <svg
          className={classes['chart']}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={labelOf(points, last)}
        >
          <line className={classes['axis']} x1={0} x2={width} y1={y(0)} y2={y(0)} />
          <line className={classes['warn']} x1={0} x2={width} y1={y(warnScore)} y2={y(warnScore)} />
          <line className={classes['fail']} x1={0} x2={width} y1={y(failScore)} y2={y(failScore)} />
          {stretchesOf(points).map((stretch) => (
            <polyline
              key={stretch[0]?.at}
              className={classes['line']}
              points={stretch.map(({ at, score }) => `${x(at)},${y(score)}`).join(' ')}
            />
          ))}
          {points.map(({ id, status, score }, at) => (
            <line
              key={id}
              className={classes['mark']}
              data-status={status}
              x1={x(at)}
              x2={x(at)}
              y1={y(score ?? 0)}
              y2={y(score ?? 0)}
            />
          ))}
        </svg>
        <div className={classes['slots']} aria-hidden="true">
          {points.map((point) => (
            <Hint key={point.id} label={hintOf(point)}>
              <Link to={to(point)} tabIndex={-1}>
                {' '}
              </Link>
            </Hint>
          ))}
        </div>
      </div>
      <span className={classes['ends']}>
        <span>{shortTime(first.createdTime)}</span>
        {points.length > 1 && <span>{shortTime(last.createdTime)}</span>}
      </span>
    </figure>
  );
}

const hintOf = (point: Point): string => {
  const { createdTime, status, score } = point;
  const scored = score === null ? '' : `, score ${scoreInWords(score)}`;
  return `${shortTime(createdTime)}: ${status}${scored}${failureInWords(point)}`;
};

function labelOf(points: readonly Point[], last: Point): string {
  const failed = points.filter(({ status }) => status === 'Failed').length;
  const score = last.score === null ? 'not judged' : scoreInWords(last.score);
  return `Scores of ${plural(points.length, 'evaluation')}: ${score} at the end, ${failed} failed`;
}

type Scored = { readonly at: number; readonly score: number };

/** Returns consecutive evaluations that have a score. */
function stretchesOf(points: readonly Point[]): readonly (readonly Scored[])[] {
  const stretches: Scored[][] = [];
  let open: Scored[] | undefined;
  for (const [at, { score }] of points.entries()) {
    if (score === null) {
      open = undefined;
      continue;
    }
    if (!open) {
      open = [];
      stretches.push(open);
    }
    open.push({ at, score });
  }
  return stretches;
}
