import { Button } from '@mantine/core';
import {
  type MissedReason,
  type RowChange,
  reactivateSubscription,
  type Subscription,
  testRunSubscription,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../access/use-rights.ts';
import { count, duration, plural, viewerZone } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { notifications } from '../../requests/notifications.ts';
import { query } from '../../requests/queries.ts';
import { lastResult } from '../../requests/runs/last-result.ts';
import { subscription } from '../../requests/subscriptions.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { Link } from '../../ui/frame/link.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Detail, type Section } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time, Until } from '../../ui/text/time.tsx';
import { AlertStatus } from '../../views/alerts/alert-status.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { quietInWords } from '../../views/quiet-hours/quiet-hours.ts';
import { KeptResult } from '../../views/results/kept-result.tsx';
import { LatestSubscriptionRuns } from '../../views/runs/latest-runs.tsx';
import { ownRunColumns } from '../../views/runs/notification-columns.tsx';
import { NextRun } from '../../views/schedule/next-run.tsx';
import { NextTimes } from '../../views/schedule/schedule-fields.tsx';
import { SubscriptionState } from '../../views/subscriptions/subscription-state.tsx';
import { RowCounts } from './counts/row-counts.tsx';
import { watchInWords } from './counts/words.ts';
import { SubscriptionMessage } from './message-preview.tsx';
import { SubscriptionActs } from './subscription-acts.tsx';
import classes from './subscription-page.module.css';
import { SubscriptionRecipients } from './subscription-recipients.tsx';
import { triggerWords } from './triggers.ts';

/** Page of one subscription: settings, recipients and runs. */
export function SubscriptionPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return (
    <Record read={subscription(id)}>
      {(record) => <SubscriptionView key={record.id} record={record} />}
    </Record>
  );
}

function SubscriptionView({ record }: { readonly record: Subscription }) {
  const go = useGo();
  const { canWrite } = useRights();
  const test = useChange(testRunSubscription, { touches: ['notifications'] });
  const reactivate = useChange(reactivateSubscription);
  const isActive = record.state === 'Active';
  const testNow = () =>
    test.mutateAsync({ params: { id: record.id } }).then(
      (run) => {
        toastDone('The test run has started, with real deliveries.');
        go(paths.notification(run.id));
      },
      () => undefined,
    );
  const facts = [
    { label: 'Latest runs', value: <LatestSubscriptionRuns subscriptionId={record.id} /> },
    { label: 'Next run', value: <NextRun schedule={record.schedule} /> },
    { label: 'Query', value: <Link to={paths.query(record.queryId)}>{record.queryName}</Link> },
    { label: 'Version', value: <QueryVersion queryId={record.queryId} /> },
    { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
    { label: 'Owner', value: record.ownerName ?? <span className="soft">Nobody</span> },
    { label: 'Alerts', value: triggerWords[record.notificationTrigger] },
    ...memoryFacts(record),
    ...routingFacts(record),
    ...(record.minimumRowCount === null
      ? []
      : [{ label: 'Only from', value: plural(record.minimumRowCount, 'row') }]),
    ...(record.maxRows === null ? [] : [{ label: 'At most', value: plural(record.maxRows, 'row') }]),
    ...(record.timeoutSeconds === null
      ? []
      : [{ label: 'Timeout', value: duration(record.timeoutSeconds * 1_000) }]),
    { label: 'Overlapping runs', value: record.overlap === 'Queue' ? 'Queue' : 'Skipped' },
    { label: 'Row counts', value: watchInWords(record.anomaly) },
    ...(record.quietHours === null ? [] : [{ label: 'Quiet hours', value: quietInWords(record.quietHours) }]),
    { label: 'Query text', value: record.showQuery ? 'Shown in the message' : 'Not shown' },
    { label: 'Rows', value: record.storeResults ? 'Kept with each run' : 'Not kept' },
    { label: 'Tasks', value: <TasksOf record={record} /> },
    {
      label: 'File',
      value: record.includeAttachment ? (record.attachmentFormat ?? 'Csv').toUpperCase() : 'None',
    },
    { label: 'Created', value: <Time at={record.createdTime} /> },
  ];
  return (
    <>
      <PageHeader
        title={record.queryName}
        parent={{ to: paths.subscriptions(), label: 'Subscriptions' }}
        facts={
          <>
            <SubscriptionState record={scheduleOf(record)} />
            <span>{record.schedule.description}</span>
            {record.alertState !== null && (
              <AlertStatus alert={record.alertState} quiet="No rows" pending="Rows, alert pending" />
            )}
            {record.snoozedUntil !== null && <Tag>Snoozed</Tag>}
            {record.isDemo && <Tag>Demo</Tag>}
            {isActive && <ManagedBadge kind="Subscription" id={record.id} />}
          </>
        }
        actions={
          canWrite && (
            <>
              {isActive && <SubscriptionActs record={record} />}
              {isActive ? (
                <Button
                  variant="filled"
                  leftSection={<Icon name="send" />}
                  loading={test.isPending}
                  onClick={() => void testNow()}
                >
                  Test now
                </Button>
              ) : (
                <Button
                  variant="filled"
                  loading={reactivate.isPending}
                  onClick={() =>
                    void reactivate.mutateAsync({ params: { id: record.id } }).catch(toastProblem)
                  }
                >
                  Reactivate
                </Button>
              )}
            </>
          )
        }
      />
      <ProblemNote error={test.error} />
      <Notices record={record} />
      <Detail
        sections={[
          ...rowsAndRuns(record),
          {
            id: 'counts',
            label: 'Row counts',
            content: <RowCounts record={record} canWrite={canWrite && isActive} />,
          },
          {
            id: 'recipients',
            label: 'Recipients',
            count: record.recipients.length,
            content: <SubscriptionRecipients record={record} canWrite={canWrite && isActive} />,
          },
          { id: 'message', label: 'Message', content: <SubscriptionMessage record={record} /> },
          {
            id: 'schedule',
            label: 'Schedule',
            content: (
              <>
                <p>
                  <code>{record.schedule.cronExpression}</code> in {record.schedule.timeZone}
                  {record.schedule.timeZone !== viewerZone && `; your time zone is ${viewerZone}`}. With
                  another schedule a new subscription takes the place of this one.
                </p>
                <NextTimes expression={record.schedule.cronExpression} timeZone={record.schedule.timeZone} />
              </>
            ),
          },
        ]}
        side={<Facts facts={facts} />}
      />
    </>
  );
}

/** Returns the state of the schedule and of the last run. The alert and the snooze have separate labels. */
const scheduleOf = ({ state, pausedSince, lastRun }: Subscription) => ({ state, pausedSince, lastRun });

const changeWords: { readonly [change in RowChange]: string } = {
  New: 'new',
  Changed: 'changed',
  Vanished: 'gone',
};

/** Facts about the row memory: key columns, reported changes, and number of remembered rows. */
function memoryFacts({ rowMemory, rememberedRows }: Subscription) {
  if (rowMemory === null) return [];
  const { rowCount = 0, duplicateKeyCount = 0 } = rememberedRows ?? {};
  const shared =
    duplicateKeyCount === 0 ? '' : `; ${plural(duplicateKeyCount, 'key')} shared by several rows`;
  return [
    { label: 'Rows sent', value: rowMemory.changes.map((change) => changeWords[change]).join(', ') },
    { label: 'Identified by', value: rowMemory.keyColumns.join(', ') },
    {
      label: 'Known rows',
      value:
        rememberedRows === null ? 'None yet: the next run remembers them' : `${count(rowCount)}${shared}`,
    },
  ];
}

/** Facts about the routing of rows to recipients. */
function routingFacts({ routing, recipients }: Subscription) {
  if (routing === null) return [];
  const fallback = recipients.find(({ id }) => id === routing.fallbackRecipientId);
  return [
    { label: 'Own rows', value: `By ${routing.column}: ${plural(routing.routeCount, 'value')}` },
    { label: 'All other rows', value: fallback ? `To ${fallback.name}` : 'To nobody' },
  ];
}

/** Reasons for due times without a run. */
const missedWords: { readonly [reason in MissedReason]: string } = {
  NotStarted: 'did not start in time',
  PreviousRunning: 'skipped because the previous run was still running',
};

/** Notices about conditions that prevent runs or notifications. */
function Notices({ record }: { readonly record: Subscription }) {
  const isActive = record.state === 'Active';
  return (
    <>
      {record.stoppedBecause !== null && (
        <p role="alert" className="notice" style={{ marginBottom: 12 }}>
          <Icon name="warning" />
          <span>This subscription was stopped by the service: {record.stoppedBecause}</span>
        </p>
      )}
      {record.pausedSince !== null && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="pause" />
          <span>
            Paused <Time at={record.pausedSince} />: its schedule does not run until it is resumed. It can
            still be tested.
          </span>
        </p>
      )}
      {record.snoozedUntil !== null && isActive && (
        <p className="notice" style={{ marginBottom: 12 }}>
          <Icon name="notification" />
          <span>
            Alerts are snoozed <Until at={record.snoozedUntil} />
            {record.snoozeReason === null ? '.' : `: ${record.snoozeReason}`}
          </span>
        </p>
      )}
      {record.lastMissed !== null && isActive && (
        <p role="alert" className="notice" style={{ marginBottom: 12 }}>
          <Icon name="warning" />
          <span>
            {plural(record.lastMissed.missedCount, 'run')} {missedWords[record.lastMissed.reason]}, due from{' '}
            <Time at={record.lastMissed.firstDueAt} /> to <Time at={record.lastMissed.lastDueAt} />.
          </span>
        </p>
      )}
    </>
  );
}

/** States whether runs create tasks, with a link to the created tasks. */
function TasksOf({ record }: { readonly record: Subscription }) {
  if (!record.createTasks) return 'Not created';
  const within = record.slaHours === null ? '' : `, due within ${plural(record.slaHours, 'hour')}`;
  return <Link to={paths.tasks({ subscriptionId: record.id, state: 'All' })}>{`Created${within}`}</Link>;
}

function Runs({ record }: { readonly record: Subscription }) {
  const runs = useQuery(notifications({ subscriptionId: record.id, pageSize: '20' }));
  if (runs.isLoadingError) return <ProblemView error={runs.error} onRetry={() => void runs.refetch()} />;
  if (runs.data?.totalCount === 0) {
    return (
      <Empty icon="notification" title="It has not run yet">
        {record.schedule.nextTimes[0] !== undefined && (
          <>
            Its next run is <Time at={record.schedule.nextTimes[0]} />.{' '}
          </>
        )}
        Test it now to see what is delivered.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Runs"
        columns={ownRunColumns}
        rows={runs.data?.items}
        keyOf={(row) => row.id}
        to={(row) => paths.notification(row.id)}
      />
      {(runs.data?.pageCount ?? 0) > 1 && (
        <p>
          <Link to={paths.notifications({ subscriptionId: record.id })}>
            All {plural(runs.data?.totalCount ?? 0, 'run')}
          </Link>
        </p>
      )}
    </>
  );
}

/** Version of the query that the next run uses. */
function QueryVersion({ queryId }: { readonly queryId: number }) {
  const { data } = useQuery(query(queryId));
  return <Link to={paths.queryVersions(queryId)}>{data?.versionNumber ?? 'All versions'}</Link>;
}

/** Returns the sections of rows and runs. Rows come first while the alert fires. */
function rowsAndRuns(record: Subscription): readonly Section[] {
  const runs = { id: 'runs', label: 'Runs', content: <Runs record={record} /> };
  const rows = { id: 'result', label: 'Last result', content: <LastRows record={record} /> };
  const isFiring = record.alertState?.state === 'Firing' || record.alertState?.state === 'Recovering';
  return isFiring && record.storeResults ? [rows, runs] : [runs, rows];
}

/** Newest rows that a run of the subscription stored. */
function LastRows({ record }: { readonly record: Subscription }) {
  const result = useQuery(lastResult(record.queryId, { subscriptionId: record.id }));
  const version = useQuery(query(record.queryId)).data?.versionNumber ?? null;
  if (result.isLoadingError)
    return <ProblemView error={result.error} onRetry={() => void result.refetch()} />;
  if (!result.data) return <div className={classes['rows']} aria-busy="true" />;
  const { lastResult: kept } = result.data;
  if (kept === null) {
    return (
      <Empty icon="table" title="No rows were kept yet">
        {record.storeResults
          ? 'Its next run keeps the rows that it finds.'
          : 'Its runs keep no rows. To see them here, edit the subscription and keep the rows of each run.'}
      </Empty>
    );
  }
  return (
    <div className={`panel ${classes['rows']}`}>
      <KeptResult kept={kept} presentVersion={version} />
    </div>
  );
}
