import { useQuery } from '@tanstack/react-query';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import classes from './home-page.module.css';
import { migrationSummary } from './requests/home.ts';

const everyMs = 15_000;

/** Figures of data migration, for its operators. */
export function Migrations() {
  const summary = useQuery({ ...migrationSummary, refetchInterval: usePollMs(everyMs) });
  const figures = [
    { label: 'Migration jobs', value: summary.data?.jobs, to: paths.migrationJobs() },
    {
      label: 'Copies running',
      value: summary.data?.running,
      to: paths.migrationHistory({ status: 'Running' }),
    },
    {
      label: 'Copied in 24 hours',
      value: summary.data?.completed24h,
      to: paths.migrationHistory({ status: 'Completed' }),
    },
    {
      label: 'Failed in 24 hours',
      value: summary.data?.failed24h,
      to: paths.migrationHistory({ status: 'Failed' }),
    },
  ];
  return (
    <section className="stack-tight" aria-labelledby="migrations">
      <h2 id="migrations">Data migration</h2>
      {summary.isLoadingError ? (
        <ProblemView error={summary.error} onRetry={() => void summary.refetch()} />
      ) : (
        <ul className={classes['numbers']} aria-labelledby="migrations">
          {figures.map(({ label, value, to }) => (
            <li key={label}>
              <Link to={to} className={classes['figure']}>
                <span className={classes['value']}>{value ?? '–'}</span>
                <span className={classes['label']}>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
