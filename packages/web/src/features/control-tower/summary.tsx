import { type TowerHealth, type TowerStatistics, towerHealths } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Status } from '../../ui/record/status.tsx';
import { WaitingWork } from '../../views/workers/waiting-work.tsx';
import { healthTones, share } from './health.tsx';
import { type TowerFilter, towerStatistics } from './requests/tower.ts';
import classes from './summary.module.css';

const everyMs = 30_000;

type Props = {
  readonly filter: TowerFilter;
  readonly selected: string | undefined;
  readonly onChoose: (health: TowerHealth | undefined) => void;
};

const numberOf = (statistics: TowerStatistics, health: TowerHealth): number =>
  ({
    Stalled: statistics.stalled,
    Critical: statistics.critical,
    Warning: statistics.warning,
    New: statistics.new,
    Healthy: statistics.healthy,
  })[health];

/** Counts by state. A click on a count filters the list below. */
export function Summary({ filter, selected, onChoose }: Props) {
  const { data, isLoadingError, error } = useQuery({
    ...towerStatistics(filter),
    refetchInterval: usePollMs(everyMs),
  });
  if (isLoadingError) return <ProblemNote error={error} />;
  return (
    <>
      <WaitingWork workers={data} />
      <section className={classes['summary']} aria-label="Summary">
        {towerHealths.map((health) => (
          <button
            key={health}
            type="button"
            className={classes['tile']}
            aria-pressed={selected === health}
            onClick={() => onChoose(selected === health ? undefined : health)}
          >
            <Status tone={healthTones[health]}>{health}</Status>
            <span className={classes['number']}>{data ? count(numberOf(data, health)) : '–'}</span>
          </button>
        ))}
        <div className={classes['tile']}>
          <span className="soft">Successful runs</span>
          <span className={classes['number']}>{share(data?.successRate ?? null)}</span>
        </div>
        <div className={classes['tile']}>
          <span className="soft">Open tasks</span>
          <span className={classes['number']}>
            {data ? count(data.openTasks) : '–'}
            {data && data.overdueTasks > 0 && (
              <span className="soft">, {count(data.overdueTasks)} overdue</span>
            )}
          </span>
        </div>
      </section>
      <p className={`soft ${classes['said']}`} role="status">
        {data &&
          `${count(data.total)} watched, ${plural(data.judged, 'run or evaluation', 'runs and evaluations')} that ended.`}
      </p>
    </>
  );
}
