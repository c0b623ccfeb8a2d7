import type { Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Time } from '../../ui/text/time.tsx';
import { LatestQueryRuns } from '../../views/runs/latest-runs.tsx';
import { NextRun } from '../../views/schedule/next-run.tsx';
import { subscriptionsOf } from './query-subscriptions.tsx';

type Props = { readonly record: Query };

/** Facts next to a query: its runs, its place and its versions. */
export function QueryFacts({ record }: Props) {
  const folder: Fact = { label: 'Folder', value: <FolderLink record={record} /> };
  return (
    <Facts
      facts={[
        { label: 'Latest runs', value: <LatestQueryRuns queryId={record.id} /> },
        { label: 'Next run', value: <NextOfSubscriptions record={record} /> },
        { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
        { label: 'Reads', value: <SourceLinks record={record} /> },
        ...(record.folderId === null ? [] : [folder]),
        { label: 'Description', value: record.description ?? <span className="soft">None</span> },
        { label: 'Version', value: <VersionsLink record={record} /> },
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
      ]}
    />
  );
}

/** Data sources of the steps, each once. */
function SourceLinks({ record }: Props) {
  const names = new Map(record.steps.map((step) => [step.dataSourceId, step.dataSourceName]));
  return [...names].map(([id, name]) => (
    <div key={id}>
      <Link to={paths.dataSource(id)}>{name}</Link>
    </div>
  ));
}

const FolderLink = ({ record: { projectId, folderId, folderPath } }: Props) =>
  folderId !== null && <Link to={paths.queries({ projectId, folderId })}>{folderPath}</Link>;

const VersionsLink = ({ record: { id, versionNumber } }: Props) => (
  <Link to={paths.queryVersions(id)}>
    {versionNumber === null ? 'All versions' : `${versionNumber}: all versions`}
  </Link>
);

/** Next scheduled run of the query, with its subscription. */
function NextOfSubscriptions({ record }: Props) {
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
