import type { Notification } from '@svc/contract';
import { plural, relativeTime, words } from '../../lib/format.ts';
import { Hint } from '../../ui/text/hint.tsx';
import { useNow } from '../../ui/text/time.tsx';
import { toneOf } from '../../views/runs/run-status.tsx';
import classes from './run-ribbon.module.css';

const shown = 50;

/** The last runs as one line of marks, oldest at the left; height and colour tell how each ended. */
export function RunRibbon({ runs }: { readonly runs: readonly Notification[] | undefined }) {
  const now = useNow();
  const marks = (runs ?? []).slice(0, shown).toReversed();
  const bad = marks.filter((run) => toneOf(run.status) === 'red').length;
  return (
    <div
      className={classes['ribbon']}
      role="img"
      aria-label={`${plural(marks.length, 'run')}, ${bad} of them failed or timed out. The table below lists the latest.`}
    >
      {marks.map((run) => (
        <Hint
          key={run.id}
          label={`${run.queryName}: ${words(run.status)}, ${relativeTime(run.createdTime, now)}`}
        >
          <span data-tone={toneOf(run.status)} />
        </Hint>
      ))}
    </div>
  );
}
