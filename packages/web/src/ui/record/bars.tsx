import { Hint } from '../text/hint.tsx';
import classes from './bars.module.css';
import type { Tone } from './status.tsx';

export type Bar = {
  readonly key: string;
  /** Tooltip of the bar. */
  readonly hint: string;
  /** Parts from the axis upwards. Empty: a gap. */
  readonly parts: readonly { readonly tone: Tone; readonly value: number }[];
};

type Props = {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Formats the value at the top of the axis, which starts at 0. */
  readonly format: (value: number) => string;
  readonly first: string;
  readonly last: string;
};

const sum = (bar: Bar): number => bar.parts.reduce((total, part) => total + part.value, 0);

/** Bars over time on an axis that starts at 0. A table elsewhere contains the numbers for screen readers. */
export function Bars({ label, bars, format, first, last }: Props) {
  const top = Math.max(0, ...bars.map(sum));
  return (
    <div className={classes['chart']} role="img" aria-label={label}>
      <span className={classes['top']}>{top > 0 ? format(top) : ''}</span>
      <div className={classes['plot']}>
        {bars.map((bar) => (
          <Hint key={bar.key} label={bar.hint}>
            <span className={classes['slot']}>
              {bar.parts
                .filter((part) => part.value > 0)
                .toReversed()
                .map((part) => (
                  <span
                    key={part.tone}
                    data-tone={part.tone}
                    style={{ height: `${(part.value / top) * 100}%` }}
                  />
                ))}
            </span>
          </Hint>
        ))}
      </div>
      <span className={classes['axis']}>
        <span>{first}</span>
        <span>{last}</span>
      </span>
    </div>
  );
}
