import type { Notification } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Table } from '../../ui/list/table.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ProblemView } from '../../ui/problem.tsx';
import { dataSources } from '../data-sources/requests/data-sources.ts';
import { notificationColumns } from '../notifications/notification-columns.tsx';
import { notifications } from '../notifications/requests/notifications.ts';
import { projects } from '../projects/requests/projects.ts';
import { queries } from '../queries/requests/queries.ts';
import { holds } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';
import { subscriptions } from '../subscriptions/requests/subscriptions.ts';
import { FirstSteps } from './first-steps.tsx';
import classes from './home-page.module.css';
import { RunRibbon } from './run-ribbon.tsx';

const one = { pageSize: '1' };
const everyMs = 15_000;

/** What is there, what ran last, and for newcomers the way to the first delivery. */
export function HomePage() {
  const rights = useRights();
  return (
    <>
      <PageHeader title="Home" />
      {rights.canRead ? (
        <Overview />
      ) : holds(rights, 'DataSourceAdmin') ? (
        <p>
          You manage data sources. <LinkButton to={paths.dataSources()}>Data sources</LinkButton>
        </p>
      ) : (
        <p>
          You are signed in, and no role that reads projects has been given to you yet. An administrator can
          give you one.
        </p>
      )}
    </>
  );
}

function Overview() {
  const live = { enabled: true, refetchInterval: usePollMs(everyMs) };
  const sources = useQuery({ ...dataSources(one), ...live });
  const ownProjects = useQuery({ ...projects(one), ...live });
  const ownQueries = useQuery({ ...queries(one), ...live });
  const active = useQuery({ ...subscriptions({ ...one, state: 'Active' }), ...live });
  const failed = useQuery({ ...notifications({ ...one, status: 'Failed' }), ...live });
  const runs = useQuery({ ...notifications({ pageSize: '50' }), ...live });
  const numbers = [
    { label: 'Data sources', value: sources.data?.totalCount, to: paths.dataSources() },
    { label: 'Projects', value: ownProjects.data?.totalCount, to: paths.projects() },
    { label: 'Queries', value: ownQueries.data?.totalCount, to: paths.queries() },
    { label: 'Active subscriptions', value: active.data?.totalCount, to: paths.subscriptions() },
    { label: 'Runs', value: runs.data?.totalCount, to: paths.notifications() },
    { label: 'Failed runs', value: failed.data?.totalCount, to: paths.notifications({ status: 'Failed' }) },
  ];
  return (
    <div className="stack" style={{ gap: 24 }}>
      <ul className={classes['numbers']}>
        {numbers.map((number) => (
          <li key={number.label}>
            <Link to={number.to}>
              <span className={classes['value']}>{number.value ?? '–'}</span>
              <span className={classes['label']}>{number.label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <FirstSteps
        hasSource={(sources.data?.totalCount ?? 1) > 0}
        hasProject={(ownProjects.data?.totalCount ?? 1) > 0}
        hasQuery={(ownQueries.data?.totalCount ?? 1) > 0}
        hasSubscription={(active.data?.totalCount ?? 1) > 0}
        hasRun={(runs.data?.totalCount ?? 1) > 0}
      />
      {runs.isError ? (
        <ProblemView error={runs.error} onRetry={() => void runs.refetch()} />
      ) : (
        <LastRuns runs={runs.data?.items} />
      )}
    </div>
  );
}

const listed = 10;

function LastRuns({ runs }: { readonly runs: readonly Notification[] | undefined }) {
  if (runs?.length === 0) return null;
  return (
    <section className="stack-tight">
      <div className="row">
        <h2>Last runs</h2>
        <span className="grow" />
        <Link to={paths.notifications()}>All runs</Link>
      </div>
      <RunRibbon runs={runs} />
      <Table
        label="Last runs"
        columns={notificationColumns.map(({ sort: _sort, ...column }) => column)}
        rows={runs?.slice(0, listed)}
        keyOf={(row) => row.id}
        to={(row) => paths.notification(row.id)}
        skeletonRows={listed}
      />
    </section>
  );
}
