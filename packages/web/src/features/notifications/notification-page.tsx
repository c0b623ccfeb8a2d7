import { ActionIcon } from '@mantine/core';
import type { Delivery, NotificationDetail, Subscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { count, duration, plural, shortTime, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { query } from '../../requests/queries.ts';
import { lastResult } from '../../requests/runs/last-result.ts';
import { subscription } from '../../requests/subscriptions.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { rowsOf } from '../../views/results/cells.ts';
import { ResultGrid } from '../../views/results/later-grid.tsx';
import { LatestSubscriptionRuns } from '../../views/runs/latest-runs.tsx';
import { DeliveryStatus, RunState } from '../../views/runs/run-status.tsx';
import { NextRun } from '../../views/schedule/next-run.tsx';
import { countFacts } from './count-facts.tsx';
import { MessageDialog } from './message-dialog.tsx';
import classes from './notification-page.module.css';
import { notification } from './requests/notification.ts';
import { canResend, ResendButton, ResendFailedButton } from './resend.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { useOrderedAttempts } from './use-ordered-attempts.ts';
import { WhatWentWrong } from './what-went-wrong.tsx';

/** Page of one run: its result and each delivery. */
export function NotificationPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={notification(id)}>{(record) => <RunView key={record.id} record={record} />}</Record>;
}

const deliveryColumns: readonly Column<Delivery>[] = [
  { id: 'recipient', label: 'Recipient', cell: (row) => row.recipientName },
  { id: 'channel', label: 'Channel', width: '128px', from: 640, cell: (row) => words(row.notificationType) },
  { id: 'state', label: 'Delivery', width: '128px', cell: (row) => <DeliveryStatus state={row.state} /> },
  { id: 'attempt', label: 'Attempt', width: '128px', from: 800, cell: (row) => <Attempt row={row} /> },
  {
    id: 'reason',
    label: 'Why',
    from: 480,
    cell: (row) => [row.reason, ...row.notes].filter(Boolean).join(' '),
  },
  {
    id: 'took',
    label: 'Duration',
    width: '88px',
    align: 'right',
    from: 960,
    cell: (row) => (
      <span className="mono">
        {row.durationMs === undefined || row.durationMs === null ? '' : duration(row.durationMs)}
      </span>
    ),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.finishedAt ?? row.dueAt ?? row.startedAt} isQuiet />,
  },
];

const rowsColumn: Column<Delivery> = {
  id: 'rows',
  label: 'Rows',
  width: '64px',
  align: 'right',
  from: 480,
  cell: (row) => <span className="mono">{row.rowCount === null ? '' : count(row.rowCount)}</span>,
};

/** Adds the number of rows per recipient if recipients got different rows. */
const columnsOf = ({ deliveries }: NotificationDetail): readonly Column<Delivery>[] => {
  if (deliveries.every(({ rowCount }) => rowCount === null)) return deliveryColumns;
  const [recipient, ...others] = deliveryColumns;
  return [...(recipient ? [recipient] : []), rowsColumn, ...others];
};

function Attempt({ row }: { readonly row: Delivery }) {
  if (row.origin === 'Run') return <span className="mono">{row.attempt}</span>;
  return (
    <span title={row.orderedBy === null ? undefined : `Requested by ${row.orderedBy}`}>
      <span className="mono">{row.attempt}</span>{' '}
      <Tag>{row.origin === 'Retry' ? 'Repeated' : 'Sent again'}</Tag>
    </span>
  );
}

/** Returns facts about the subscription of a run: other runs, next run and owner. */
function subscriptionFacts({ id, subscriptionId, queryName }: NotificationDetail) {
  if (subscriptionId === null) return [];
  return [
    {
      label: 'Latest runs',
      value: <LatestSubscriptionRuns subscriptionId={subscriptionId} presentId={id} />,
    },
    {
      label: 'Next run',
      value: (
        <OfSubscription id={subscriptionId}>
          {({ schedule }) => <NextRun schedule={schedule} />}
        </OfSubscription>
      ),
    },
    { label: 'Subscription', value: <Link to={paths.subscription(subscriptionId)}>{queryName}</Link> },
    {
      label: 'Owner',
      value: (
        <OfSubscription id={subscriptionId}>
          {({ ownerName }) => ownerName ?? <span className="soft">Nobody</span>}
        </OfSubscription>
      ),
    },
  ];
}

type OfSubscriptionProps = {
  readonly id: number;
  readonly children: (record: Subscription) => ReactNode;
};

function OfSubscription({ id, children }: OfSubscriptionProps) {
  const { data, isError } = useQuery(subscription(id));
  if (isError) return <span className="soft">Not known</span>;
  return data ? children(data) : '\u00a0';
}

type VersionProps = { readonly queryId: number; readonly record: NotificationDetail };

/** Version of the query that ran, with a note if the query has changed since. */
function VersionOfRun({ queryId, record: { versionNumber, queryVersionId } }: VersionProps) {
  const present = useQuery(query(queryId)).data?.versionNumber;
  const to =
    queryVersionId === null ? paths.queryVersions(queryId) : paths.queryVersion(queryId, queryVersionId);
  return (
    <>
      <Link to={to}>{versionNumber}</Link>
      {typeof present === 'number' && present !== versionNumber && (
        <span className="soft">{`, by now it is ${present}`}</span>
      )}
    </>
  );
}

const mono = (text: string) => <span className="mono">{text}</span>;

function RunView({ record }: { readonly record: NotificationDetail }) {
  const follow = useOrderedAttempts(record);
  const facts = [
    ...subscriptionFacts(record),
    {
      label: 'Query',
      value:
        record.queryId === null ? 'None' : <Link to={paths.query(record.queryId)}>{record.queryName}</Link>,
    },
    ...(record.queryId === null || record.versionNumber === null
      ? []
      : [
          {
            label: 'Version',
            value: <VersionOfRun queryId={record.queryId} record={record} />,
          },
        ]),
    ...(record.contractId === null
      ? []
      : [
          {
            label: 'Data contract',
            value: <Link to={paths.contract(record.contractId)}>{record.queryName}</Link>,
          },
        ]),
    { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
    ...countFacts(record),
    {
      label: 'Duration',
      value: record.executionTimeMs === null ? 'Not known' : mono(duration(record.executionTimeMs)),
    },
    { label: 'Due', value: <Time at={record.dueAt} /> },
    ...(record.startedAt === null ? [] : [{ label: 'Started', value: <Time at={record.startedAt} /> }]),
    ...(record.heldUntil === null ? [] : [{ label: 'Held until', value: shortTime(record.heldUntil) }]),
    ...(record.sentAt === null ? [] : [{ label: 'Sent', value: <Time at={record.sentAt} /> }]),
    ...(record.finishedAt === null ? [] : [{ label: 'Finished', value: <Time at={record.finishedAt} /> }]),
    ...(record.recoveredAt === null ? [] : [{ label: 'Recovered', value: <Time at={record.recoveredAt} /> }]),
    ...(record.traceId === null
      ? []
      : [
          {
            label: 'Trace',
            value: (
              <span className="row">
                <code className="truncate">{record.traceId}</code>
                <CopyButton value={record.traceId} label="Copy trace id" />
              </span>
            ),
          },
        ]),
  ];
  return (
    <>
      <PageHeader
        title={record.queryName}
        parent={{ to: paths.notifications(), label: 'Notifications' }}
        facts={
          <>
            <span role="status">
              <RunState {...record} />
            </span>
            {record.origin === 'Test' && <Tag>Test</Tag>}
            {record.recoveredAt !== null && <Tag>Recovered</Tag>}
            <Time at={record.createdTime} />
          </>
        }
        actions={<ResendFailedButton record={record} onOrdered={follow} />}
      />
      <WhatWentWrong record={record} />
      <Detail
        sections={[
          {
            id: 'deliveries',
            label: 'Deliveries',
            count: record.deliveries.length,
            content: <Deliveries record={record} onOrdered={follow} />,
          },
          { id: 'timeline', label: 'Timeline', content: <RunTimeline id={record.id} /> },
          { id: 'rows', label: 'Rows', content: <Rows record={record} /> },
        ]}
        side={<Facts facts={facts} />}
      />
    </>
  );
}

type DeliveriesProps = {
  readonly record: NotificationDetail;
  readonly onOrdered: (ordered: readonly Delivery[]) => void;
};

function Deliveries({ record, onOrdered }: DeliveriesProps) {
  const { canWrite } = useRights();
  const [shown, setShown] = useState<Delivery | null>(null);
  if (record.deliveries.length === 0) {
    return (
      <Empty icon="send" title={record.finishedAt === null ? 'Nothing delivered yet' : 'Nothing was sent'}>
        <WhyNothing record={record} />
      </Empty>
    );
  }
  const { subscriptionId } = record;
  const isShowable = subscriptionId !== null && record.isMessageKept;
  const isAnyUndone = canWrite && record.deliveries.some((row) => canResend(record, row));
  return (
    <>
      <Table
        label="Deliveries"
        columns={columnsOf(record)}
        rows={record.deliveries}
        keyOf={(row) => row.id}
        {...((isAnyUndone || isShowable) && {
          actions: (row: Delivery) => (
            <>
              {isShowable && (
                <ActionIcon aria-label={`Message to ${row.recipientName}`} onClick={() => setShown(row)}>
                  <Icon name="search" />
                </ActionIcon>
              )}
              {canWrite && canResend(record, row) && (
                <ResendButton runId={record.id} delivery={row} onOrdered={onOrdered} />
              )}
            </>
          ),
          actionsWidth: isAnyUndone ? '144px' : '48px',
        })}
      />
      {shown !== null && subscriptionId !== null && (
        <MessageDialog
          {...{ subscriptionId, notificationId: record.id, delivery: shown }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

function WhyNothing({ record: { heldUntil, finishedAt } }: { readonly record: NotificationDetail }) {
  if (heldUntil !== null) {
    return <>Quiet hours hold it until {shortTime(heldUntil)}. A newer run with news takes its place.</>;
  }
  return finishedAt === null
    ? 'The run is under way. This page follows it.'
    : 'The status above says why. A run that finds nothing new sends nothing, unless the subscription asks for it.';
}

/** Link to the newest rows that another run of the query stored. */
function LastKept({ record: { queryId } }: { readonly record: NotificationDetail }) {
  const { data } = useQuery({ ...lastResult(queryId ?? 0), enabled: queryId !== null });
  if (!data?.lastResult) return null;
  const { notificationId, ranAt } = data.lastResult;
  return (
    <>
      <Link to={paths.notification(notificationId)}>See the last kept result</Link>, <Time at={ranAt} />.
    </>
  );
}

function Rows({ record }: { readonly record: NotificationDetail }) {
  if (!record.results) {
    return (
      <Empty icon="table" title="The rows were not kept">
        The subscription does not keep rows, or the run did not get any. <LastKept record={record} />
      </Empty>
    );
  }
  const columns = record.results.columns.map((name) => ({
    name,
    kind: 'text',
    databaseType: '',
    isMasked: false,
    maskedReason: null,
  }));
  return (
    <>
      {record.results.isTruncated && (
        <p className="soft">
          Only the first {plural(record.results.rows.length, 'row')} were kept. Sorting, statistics and
          copying cover these.
        </p>
      )}
      <div className={`panel ${classes['rows']}`}>
        <ResultGrid
          label="Rows of the run"
          columns={columns}
          rows={rowsOf(record.results)}
          part={
            record.results.isTruncated
              ? `the first ${plural(record.results.rows.length, 'row')} of the run`
              : undefined
          }
        />
      </div>
    </>
  );
}
