import type { Schedule } from '@svc/contract';
import { shortTime } from '../../lib/format.ts';
import { Time } from '../../ui/text/time.tsx';

type Props = { readonly schedule: Pick<Schedule, 'nextTimes' | 'timeZone'> };

/** Next time of a schedule in its own time zone, and the remaining time. */
export function NextRun({ schedule: { nextTimes, timeZone } }: Props) {
  const [next] = nextTimes;
  if (next === undefined) return <span className="soft">None</span>;
  return (
    <>
      {shortTime(next, timeZone)} <span className="soft">{timeZone}</span>, <Time at={next} />
    </>
  );
}
