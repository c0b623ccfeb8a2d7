import type { Notification } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { holds, needs, type Rights } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { plural } from '../../lib/format.ts';
import { usePollMs } from '../../lib/liveness.ts';
import { paths } from '../../lib/paths.ts';
import { dataSources } from '../../requests/data-sources.ts';
import { notifications } from '../../requests/notifications.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Sentence } from '../../ui/record/status.tsx';
import { FiringNow } from '../../views/firing/firing-now.tsx';
import { notificationColumns } from '../../views/runs/notification-columns.tsx';
import { RunRibbon } from '../../views/runs/ribbon.tsx';
import { WaitingWork } from '../../views/workers/waiting-work.tsx';
import { Activity } from './activity.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './home-page.module.css';
import { Migrations } from './migrations.tsx';
import { homeKpis } from './requests/home.ts';
import { Trends } from './trends.tsx';
import { Uptime } from './uptime.tsx';

const everyMs = 15_000;

/** Home page: key figures, trends, uptime, activity, and first steps for new users. */
export function HomePage() {
  const rights = useRights();
  // Migrations come after the alerts. For a user who reads no project, they are the only content.
  const migrations = needs.migrations.admits(rights) && <Migrations />;
  return (
    <>
      <PageHeader title="Home" />
      <div className="stack" style={{ gap: 24 }}>
        {!rights.canRead && <NothingToRead rights={rights} />}
        {!rights.canRead && holds(rights, 'DataSourceAdmin') && <WarningsAlone />}
        {!rights.canRead && migrations}
        <Overview isEnabled={rights.canRead}>{rights.canRead && migrations}</Overview>
      </div>
    </>
  );
}

/** Warning for administrators of data sources who read no project and therefore see no key figures. */
function WarningsAlone() {
  const { data } = useQuery(dataSources({ pageSize: '1', hasWarnings: true }));
  return <SourceWarnings total={data?.totalCount ?? 0} />;
}

/** Warns administrators of data sources if a login has more rights than reading requires. */
function SourceWarnings({ total }: { readonly total: number }) {
  if (total === 0) return null;
  return (
    <div className="panel row wrap" style={{ padding: 16 }} role="status">
      <div className="grow">
        <Sentence tone="amber">
          {`${plural(total, 'data source signs', 'data sources sign')} in with a login that may reach files or programs of its server.`}
        </Sentence>
      </div>
      <LinkButton to={paths.dataSources({ hasWarnings: 'true' })}>Show</LinkButton>
    </div>
  );
}

/**
 * Explains to a user without a role that reads projects why the figures are missing, and links to the available pages.
 */
function NothingToRead({ rights }: { readonly rights: Rights }) {
  const available = destinations(rights);
  return (
    <div className="panel" style={{ padding: 16 }}>
      <p>
        The figures below are of the projects that you can read, and no role that reads projects has been
        given to you yet. An administrator can give you one.
      </p>
      {available.length > 0 && (
        <p className="row wrap" style={{ marginTop: 8 }}>
          {available.map(({ label, to }) => (
            <LinkButton key={to} to={to}>
              {label}
            </LinkButton>
          ))}
        </p>
      )}
    </div>
  );
}

const destinations = (rights: Rights) => [
  ...(holds(rights, 'DataSourceAdmin') ? [{ label: 'Data sources', to: paths.dataSources() }] : []),
  ...(needs.migrations.admits(rights) ? [{ label: 'Data migration', to: paths.migrationJobs() }] : []),
  ...(holds(rights, 'Approver') ? [{ label: 'Approvals', to: paths.approvals() }] : []),
  ...(holds(rights, 'UserAdmin') ? [{ label: 'Users', to: paths.users() }] : []),
  ...(holds(rights, 'UserAdmin', 'Auditor') ? [{ label: 'API keys', to: paths.apiKeys() }] : []),
  ...(holds(rights, 'Auditor') ? [{ label: 'Audit', to: paths.audit() }] : []),
  ...(holds(rights, 'Auditor', 'SecurityAdmin')
    ? [{ label: 'Admin settings', to: paths.adminSettings() }]
    : []),
];

/** @param props.children - Content below the figures. */
function Overview({ isEnabled, children }: { readonly isEnabled: boolean; readonly children: ReactNode }) {
  const live = { enabled: isEnabled, refetchInterval: usePollMs(everyMs) };
  const kpis = useQuery({ ...homeKpis, ...live });
  const runs = useQuery({ ...notifications({ pageSize: '50' }), ...live });
  const numbers = [
    { label: 'Data sources', value: kpis.data?.dataSources, to: paths.dataSources() },
    { label: 'Projects', value: kpis.data?.projects, to: paths.projects() },
    { label: 'Queries', value: kpis.data?.queries, to: paths.queries() },
    { label: 'Active subscriptions', value: kpis.data?.activeSubscriptions, to: paths.subscriptions() },
    { label: 'Open tasks', value: kpis.data?.openTasks, to: paths.tasks() },
    { label: 'Runs', value: kpis.data?.runs, to: paths.notifications() },
    { label: 'Failed runs', value: kpis.data?.failedRuns, to: paths.notifications({ status: 'Failed' }) },
  ];
  const figures = (
    <>
      <Trends isEnabled={isEnabled} />
      <Uptime isEnabled={isEnabled} />
      <div className={classes['columns']}>
        {runs.isLoadingError ? (
          <ProblemView error={runs.error} onRetry={() => void runs.refetch()} />
        ) : (
          isEnabled && <LastRuns runs={runs.data?.items} />
        )}
        <Activity isEnabled={isEnabled} />
      </div>
      {children}
    </>
  );
  return (
    <FiringNow isEnabled={isEnabled}>
      <WaitingWork workers={kpis.data} />
      <SourceWarnings total={kpis.data?.dataSourcesWithWarnings ?? 0} />
      <ul className={classes['numbers']} aria-label="Key figures">
        {numbers.map((number) => (
          <li key={number.label}>
            <Figure to={isEnabled ? number.to : undefined}>
              <span className={classes['value']}>{number.value ?? '–'}</span>
              <span className={classes['label']}>{number.label}</span>
            </Figure>
          </li>
        ))}
      </ul>
      {isEnabled ? <FirstSteps>{figures}</FirstSteps> : figures}
    </FiringNow>
  );
}

/** Links a figure to the records that it counts, if the user can read them. */
const Figure = ({ to, children }: { readonly to: string | undefined; readonly children: ReactNode }) =>
  to === undefined ? (
    <span className={classes['figure']}>{children}</span>
  ) : (
    <Link to={to} className={classes['figure']}>
      {children}
    </Link>
  );

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
