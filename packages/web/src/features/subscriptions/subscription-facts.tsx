import type { RowChange, Subscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, duration, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { query } from '../../requests/queries.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Time } from '../../ui/text/time.tsx';
import { quietInWords } from '../../views/quiet-hours/quiet-hours.ts';
import { LatestSubscriptionRuns } from '../../views/runs/latest-runs.tsx';
import { NextRun } from '../../views/schedule/next-run.tsx';
import { watchInWords } from './counts/words.ts';
import { triggerWords } from './triggers.ts';

type Props = { readonly record: Subscription };

/** Facts of a subscription: its runs, its query, its alerts and its messages. */
export function SubscriptionFacts({ record }: Props) {
  const { quietHours } = record;
  return (
    <Facts
      facts={[
        { label: 'Latest runs', value: <LatestSubscriptionRuns subscriptionId={record.id} /> },
        { label: 'Next run', value: <NextRun schedule={record.schedule} /> },
        { label: 'Query', value: <Link to={paths.query(record.queryId)}>{record.queryName}</Link> },
        { label: 'Version', value: <QueryVersion queryId={record.queryId} /> },
        { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
        { label: 'Owner', value: record.ownerName ?? <span className="soft">Nobody</span> },
        { label: 'Alerts', value: triggerWords[record.notificationTrigger] },
        ...memoryFacts(record),
        ...routingFacts(record),
        ...limitFacts(record),
        { label: 'Overlapping runs', value: record.overlap === 'Queue' ? 'Queue' : 'Skipped' },
        { label: 'Row counts', value: watchInWords(record.anomaly) },
        ...(quietHours === null ? [] : [{ label: 'Quiet hours', value: quietInWords(quietHours) }]),
        { label: 'Query text', value: record.showQuery ? 'Shown in the message' : 'Not shown' },
        { label: 'Rows', value: record.storeResults ? 'Kept with each run' : 'Not kept' },
        { label: 'Tasks', value: <TasksOf record={record} /> },
        {
          label: 'File',
          value: record.includeAttachment ? (record.attachmentFormat ?? 'Csv').toUpperCase() : 'None',
        },
        { label: 'Created', value: <Time at={record.createdTime} /> },
      ]}
    />
  );
}

/** Facts about the limits of rows and time. */
function limitFacts({ minimumRowCount, maxRows, timeoutSeconds }: Subscription) {
  return [
    ...(minimumRowCount === null ? [] : [{ label: 'Only from', value: plural(minimumRowCount, 'row') }]),
    ...(maxRows === null ? [] : [{ label: 'At most', value: plural(maxRows, 'row') }]),
    ...(timeoutSeconds === null ? [] : [{ label: 'Timeout', value: duration(timeoutSeconds * 1_000) }]),
  ];
}

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

/** Link to the tasks that runs have created, if they create any. */
function TasksOf({ record }: Props) {
  if (!record.createTasks) return 'Not created';
  const within = record.slaHours === null ? '' : `, due within ${plural(record.slaHours, 'hour')}`;
  return <Link to={paths.tasks({ subscriptionId: record.id, state: 'All' })}>{`Created${within}`}</Link>;
}

/** Version of the query that the next run uses. */
function QueryVersion({ queryId }: { readonly queryId: number }) {
  const { data } = useQuery(query(queryId));
  return <Link to={paths.queryVersions(queryId)}>{data?.versionNumber ?? 'All versions'}</Link>;
}
