import type { JobState } from '@svc/jobs';
import { useAddress } from '../../lib/address.ts';
import { countText } from '../../lib/format.ts';
import { useOverview } from '../../lib/requests.ts';
import { states, stateTone, stateWord } from '../../lib/states.ts';
import { Mark } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import classes from '../list.module.css';

/** Links to the jobs of each state, with their counts. */
export function StateRail({ state }: { readonly state: JobState | undefined }) {
  const { query } = useAddress();
  const counts = useOverview().data?.states;
  const entry = (of: JobState | undefined, label: string, count: string) => (
    <Link
      key={label}
      to="/jobs"
      query={{ ...query, state: of }}
      aria-current={of === state ? 'page' : undefined}
    >
      {of && <Mark tone={stateTone[of]} />}
      <span>{label}</span>
      <span className={`mono ${classes['count']}`}>{count}</span>
    </Link>
  );
  return (
    <nav className={classes['rail']} aria-label="States">
      {entry(undefined, 'All states', '')}
      {states.map((of) => {
        const entryCount = counts?.find((one) => one.state === of);
        return entry(of, stateWord[of], entryCount ? countText(entryCount.count, entryCount.isEstimate) : '');
      })}
    </nav>
  );
}
