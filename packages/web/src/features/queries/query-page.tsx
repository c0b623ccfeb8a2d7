import { Button } from '@mantine/core';
import { lockQuery, type Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { query } from '../../requests/queries.ts';
import { subscriptions } from '../../requests/subscriptions.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Sentence, Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { LatestQueryRuns } from '../../views/runs/latest-runs.tsx';
import { NextRun } from '../../views/schedule/next-run.tsx';
import { subscriptionColumns } from '../../views/subscriptions/subscription-columns.tsx';
import { AiClients } from './publishing/ai-clients.tsx';
import { SavedResult } from './results/saved-result.tsx';
import { History } from './versions/history.tsx';

const subscriptionsShown = '200';

/** Page of one query: its text, its result and its subscriptions. */
export function QueryPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={query(id)}>{(record) => <QueryView key={record.id} record={record} />}</Record>;
}

function QueryView({ record }: { readonly record: Query }) {
  const lock = useChange(lockQuery);
  const facts = [
    { label: 'Latest runs', value: <LatestQueryRuns queryId={record.id} /> },
    { label: 'Next run', value: <NextOfSubscriptions record={record} /> },
    { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
    {
      label: 'Reads',
      value: [...new Map(record.steps.map((step) => [step.dataSourceId, step.dataSourceName]))].map(
        ([id, name]) => (
          <div key={id}>
            <Link to={paths.dataSource(id)}>{name}</Link>
          </div>
        ),
      ),
    },
    ...(record.folderId === null
      ? []
      : [
          {
            label: 'Folder',
            value: (
              <Link to={paths.queries({ projectId: record.projectId, folderId: record.folderId })}>
                {record.folderPath}
              </Link>
            ),
          },
        ]),
    { label: 'Description', value: record.description ?? <span className="soft">None</span> },
    {
      label: 'Version',
      value: (
        <Link to={paths.queryVersions(record.id)}>
          {record.versionNumber === null ? 'All versions' : `${record.versionNumber}: all versions`}
        </Link>
      ),
    },
    {
      label: 'Saved',
      value: (
        <>
          <Time at={record.savedAt} /> by {record.savedByUserName ?? 'the service'}
        </>
      ),
    },
    { label: 'Owner', value: record.createdByUserName ?? <span className="soft">The service</span> },
    { label: 'Created', value: <Time at={record.createdTime} /> },
  ];
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.queries(), label: 'Queries' }}
        facts={
          <>
            {record.isLocked && <Tag>Locked for AI actors</Tag>}
            {record.isDemo && <Tag>Demo</Tag>}
            <ManagedBadge kind="Query" id={record.id} />
          </>
        }
        actions={
          record.canEdit && (
            <>
              <Button
                leftSection={<Icon name={record.isLocked ? 'open' : 'lock'} />}
                loading={lock.isPending}
                onClick={() =>
                  void lock
                    .mutateAsync({ params: { id: record.id }, body: { isLocked: !record.isLocked } })
                    .catch(toastProblem)
                }
              >
                {record.isLocked ? 'Unlock' : 'Lock'}
              </Button>
              <LinkButton to={paths.editQuery(record.id)} leftSection={<Icon name="edit" />}>
                Edit
              </LinkButton>
              <LinkButton to={paths.subscriptions({ new: 'yes', queryId: record.id })} variant="filled">
                Subscribe
              </LinkButton>
            </>
          )
        }
      />
      {record.check?.verdict === 'Failed' && (
        <Sentence tone="red">
          {`This query can no longer run since the schema of its data source changed. The engine said: ${record.check.message} Edit the query, or bring back what it reads.`}
        </Sentence>
      )}
      {record.pendingVersion !== null && (
        <LazyPart code={waitingPart} onMissing={() => undefined}>
          {(WaitingVersion) => <WaitingVersion record={record} consequence={untilDecided(record)} />}
        </LazyPart>
      )}
      <Detail
        sections={[
          { id: 'result', label: 'Result', content: <SavedResult record={record} /> },
          { id: 'text', label: 'Text', content: <Texts record={record} /> },
          {
            id: 'subscriptions',
            label: 'Subscriptions',
            count: record.subscriptionCount,
            content: <Subscriptions record={record} />,
          },
          { id: 'history', label: 'History', content: <History record={record} /> },
          { id: 'ai-clients', label: 'AI clients', content: <AiClients record={record} /> },
        ]}
        side={<Facts facts={facts} />}
      />
    </>
  );
}

const waitingPart = later(() =>
  import('./versions/waiting-version.tsx').then((module) => module.WaitingVersion),
);

const untilDecided = ({ versionNumber }: Query): string =>
  versionNumber === null
    ? 'Until then this query does not run.'
    : `Until then version ${versionNumber} runs.`;

const textsPart = later(() => import('./query-texts.tsx').then((module) => module.QueryTexts));

/** Statements of the query. The code of the read-only editor loads when the user opens the tab. */
function Texts({ record }: { readonly record: Query }) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return <p className="soft">The editor could not be loaded. Load the page again.</p>;
  return (
    <LazyPart code={textsPart} fallback={<div aria-busy="true" />} onMissing={() => setMissing(true)}>
      {(QueryTexts) => <QueryTexts record={record} />}
    </LazyPart>
  );
}

const subscriptionsOf = (record: Query) =>
  subscriptions({ queryId: record.id, pageSize: subscriptionsShown });

/** Next scheduled run of the query, with its subscription. */
function NextOfSubscriptions({ record }: { readonly record: Query }) {
  const { data } = useQuery(subscriptionsOf(record));
  if (!data) return <div style={{ minHeight: record.subscriptionCount > 0 ? '3lh' : '1lh' }} />;
  const [first] = data.items
    .filter(({ schedule }) => schedule.nextTimes.length > 0)
    .toSorted((a, b) => (a.schedule.nextTimes[0] ?? '').localeCompare(b.schedule.nextTimes[0] ?? ''));
  if (!first) return <span className="soft">No schedule runs it</span>;
  return (
    <>
      <NextRun schedule={first.schedule} />
      <br />
      <Link to={paths.subscription(first.id)}>{first.schedule.description}</Link>
    </>
  );
}

function Subscriptions({ record }: { readonly record: Query }) {
  const list = useQuery(subscriptionsOf(record));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) {
    return (
      <Empty icon="subscription" title="No subscriptions yet">
        A subscription runs this query on a schedule and sends the result to its recipients.
      </Empty>
    );
  }
  return (
    <Table
      label="Subscriptions"
      columns={subscriptionColumns}
      rows={list.data?.items}
      keyOf={(row) => row.id}
      to={(row) => paths.subscription(row.id)}
      skeletonRows={3}
    />
  );
}
