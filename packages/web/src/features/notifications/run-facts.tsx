import type { NotificationDetail, Subscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { duration, shortTime } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { query } from '../../requests/queries.ts';
import { subscription } from '../../requests/subscriptions.ts';
import { Link } from '../../ui/frame/link.tsx';
import type { Fact } from '../../ui/record/facts.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Time } from '../../ui/text/time.tsx';
import { LatestSubscriptionRuns } from '../../views/runs/latest-runs.tsx';
import { NextRun } from '../../views/schedule/next-run.tsx';
import { countFacts } from './count-facts.tsx';

/** Returns the facts of a run: its subscription, its query, its counts and its times. */
export const runFacts = (record: NotificationDetail): readonly Fact[] => [
  ...subscriptionFacts(record),
  ...definitionFacts(record),
  { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
  ...countFacts(record),
  {
    label: 'Duration',
    value: record.executionTimeMs === null ? 'Not known' : mono(duration(record.executionTimeMs)),
  },
  ...timeFacts(record),
];

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

/** Returns facts about the query or the data contract that ran. */
function definitionFacts(record: NotificationDetail): readonly Fact[] {
  const { queryId, queryName, versionNumber, contractId } = record;
  return [
    {
      label: 'Query',
      value: queryId === null ? 'None' : <Link to={paths.query(queryId)}>{queryName}</Link>,
    },
    ...(queryId === null || versionNumber === null
      ? []
      : [{ label: 'Version', value: <VersionOfRun queryId={queryId} record={record} /> }]),
    ...(contractId === null
      ? []
      : [{ label: 'Data contract', value: <Link to={paths.contract(contractId)}>{queryName}</Link> }]),
  ];
}

/** Returns the times of a run that are set, and its trace. */
function timeFacts(record: NotificationDetail): readonly Fact[] {
  return [
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
