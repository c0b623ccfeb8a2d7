import type { ReactNode } from 'react';
import { duration } from '../../../lib/format.ts';
import type { Tone } from '../../../ui/record/status.tsx';
import { Time } from '../../../ui/text/time.tsx';
import classes from './run-timeline.module.css';
import { barOf, type Scale } from './timeline-scale.ts';

type Bar = { readonly scale: Scale; readonly from: string; readonly tone: Tone } & (
  | { readonly to: string }
  | { readonly ms: number }
);

type Props = {
  readonly what: ReactNode;
  readonly at: string | null;
  readonly took?: number | null;
  readonly bar?: Bar | null;
  readonly children?: ReactNode;
};

/** One line of the timeline: a label, a bar on the time scale, a duration and a time. */
export function TimelineLine({ what, at, took = null, bar = null, children }: Props) {
  const drawn =
    bar &&
    barOf(bar.scale, Date.parse(bar.from), 'to' in bar ? Date.parse(bar.to) : Date.parse(bar.from) + bar.ms);
  return (
    <li>
      <div className={classes['line']}>
        <span>{what}</span>
        <span className={classes['track']} aria-hidden="true">
          {bar && drawn && (
            <span
              className={classes['bar']}
              data-tone={bar.tone}
              data-cut={drawn.isCut}
              style={{ left: `${drawn.left}%`, width: `${drawn.width}%` }}
            />
          )}
        </span>
        <span className={`mono ${classes['took']}`}>{took === null ? '' : duration(took)}</span>
        <span className={classes['at']}>{at !== null && <Time at={at} isQuiet />}</span>
      </div>
      {children}
    </li>
  );
}
