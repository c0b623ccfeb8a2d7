import type { ContractEvaluation } from '@svc/contract';
import { limitText, plural, scoreText, shortTime } from '../../../lib/format.ts';
import { Link } from '../../../ui/frame/link.tsx';
import { Hint } from '../../../ui/text/hint.tsx';
import { failureInWords } from '../outcome.tsx';
import classes from './score-chart.module.css';
import { type At, stepsOf, stretchesOf } from './stretches.ts';

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
  /** Limits of the contract now, in words only: earlier evaluations can have had others. */
  readonly warnScore: number;
  readonly failScore: number;
  /** Returns the path of the results of an evaluation. */
  readonly to: (point: Point) => string;
};

const y = (score: number): number => height - pad - (score / top) * (height - 2 * pad);

/**
 * Score of each evaluation from 0 to 100, with the score below which that evaluation failed. An evaluation without a score
 * leaves a gap, and so does one whose limit is unknown. The table of evaluations has the same content for screen readers and the keyboard.
 */
export function ScoreChart({ points, warnScore, failScore, to }: Props) {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const x = (at: number) => ((at + 0.5) / points.length) * width;
  const cornersOf = (line: readonly At[]) => line.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
  return (
    <figure className={classes['figure']}>
      <span className={classes['ends']}>
        <span>100</span>
        <span>{`Now: warns below ${limitText(warnScore)}, fails below ${limitText(failScore)}`}</span>
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
          {stretchesOf(points.map(({ failScore: limit }) => limit)).map((stretch) => (
            <polyline
              key={stretch[0]?.at}
              className={classes['fail']}
              data-line="limit"
              points={cornersOf(stepsOf(stretch))}
            />
          ))}
          {stretchesOf(points.map(({ score }) => score)).map((stretch) => (
            <polyline
              key={stretch[0]?.at}
              className={classes['line']}
              data-line="score"
              points={cornersOf(stretch)}
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

const scoreOf = ({ score, failScore }: Point): string | undefined =>
  score === null ? undefined : scoreText(score, ...(failScore === null ? [] : [failScore]));

const hintOf = (point: Point): string => {
  const text = scoreOf(point);
  const scored = text === undefined ? '' : `, score ${text}`;
  return `${shortTime(point.createdTime)}: ${point.status}${scored}${failureInWords(point)}`;
};

function labelOf(points: readonly Point[], last: Point): string {
  const failed = points.filter(({ status }) => status === 'Failed').length;
  return `Scores of ${plural(points.length, 'evaluation')}: ${scoreOf(last) ?? 'not judged'} at the end, ${failed} failed`;
}
