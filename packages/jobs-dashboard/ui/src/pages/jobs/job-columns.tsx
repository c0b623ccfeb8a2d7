import type { JobState } from '@svc/jobs';
import type { JobItem } from '../../../../src/sql/job-columns.ts';
import { duration } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { State } from '../../parts/controls.tsx';
import { Link } from '../../parts/link.tsx';
import { type Column, rowLinkClass, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

/** Job in the form of a list item. */
export type Item = Json<JobItem>;

const tookMs = ({ startedAt, finishedAt }: Item): number | null =>
  startedAt !== null && finishedAt !== null
    ? Math.max(0, new Date(finishedAt).getTime() - new Date(startedAt).getTime())
    : null;

const name: Column<Item> = {
  key: 'name',
  title: 'Job',
  cell: (job) => (
    <Link to={`/jobs/${job.id}`} className={rowLinkClass} data-row-link title={job.id}>
      {job.name}
    </Link>
  ),
};
const id: Column<Item> = {
  key: 'id',
  title: 'Id',
  width: 'middle',
  from: 800,
  cell: (job) => (
    <span className="mono soft" title={job.id}>
      …{job.id.slice(-12)}
    </span>
  ),
};
const state: Column<Item> = {
  key: 'state',
  title: 'State',
  width: 'middle',
  cell: (job) => <State state={job.state} isCancelling={job.cancelRequestedAt !== null} />,
};
const queue: Column<Item> = {
  key: 'queue',
  title: 'Queue',
  width: 'middle',
  from: 640,
  cell: (job) => job.queue,
};
const attempts: Column<Item> = {
  key: 'attempt',
  title: 'Attempt',
  align: 'right',
  width: 'narrow',
  from: 960,
  cell: (job) => (job.kind === 'Job' ? `${job.attempt} of ${job.attemptsMax}` : job.kind),
};
const took: Column<Item> = {
  key: 'took',
  title: 'Duration',
  align: 'right',
  width: 'narrow',
  from: 800,
  cell: (job) => {
    const ms = tookMs(job);
    return ms === null ? '—' : duration(ms);
  },
};
const error: Column<Item> = {
  key: 'error',
  title: 'Error',
  from: 640,
  cell: (job) => (
    <span className="truncate" title={job.error ?? ''}>
      {job.error ?? '—'}
    </span>
  ),
};

const time = (title: string, read: (job: Item) => string | null, from?: 480): Column<Item> => ({
  key: title,
  title,
  width: 'middle',
  ...(from && { from }),
  cell: (job) => <Time at={read(job)} />,
});
const due = time('Due', (job) => job.dueAt, 480);
const created = time('Created', (job) => job.createdAt, 480);
const started = time('Started', (job) => job.startedAt, 480);
const finished = time('Ended', (job) => job.finishedAt, 480);

/** Returns the most useful columns for jobs of a state. */
export function jobColumns(of: JobState | undefined): readonly Column<Item>[] {
  if (of === undefined) return [name, state, queue, id, created, took, attempts];
  if (of === 'Enqueued' || of === 'Scheduled' || of === 'AwaitingParent')
    return [name, queue, id, created, due, attempts];
  if (of === 'AwaitingRetry') return [name, error, queue, due, attempts];
  if (of === 'Processing') return [name, state, queue, id, started, attempts];
  if (of === 'Failed') return [name, error, queue, finished, attempts];
  return [name, queue, id, finished, took, attempts];
}

/** Table of a few related jobs. */
export function JobTable({ label, jobs }: { readonly label: string; readonly jobs: readonly Item[] }) {
  return (
    <Table
      label={label}
      isBare
      columns={[name, state, queue, created, took]}
      rows={jobs}
      keyOf={(job) => job.id}
    />
  );
}
