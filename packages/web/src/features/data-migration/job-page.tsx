import type { MigrationJob } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { EditJob } from './edit-job.tsx';
import { Execution } from './executions/execution.tsx';
import { executionColumns } from './executions/execution-columns.tsx';
import { JobActs } from './job-acts.tsx';
import { destinationOf } from './job-words.ts';
import { isUnderWay, migrationExecutions, migrationJob } from './requests/migrations.ts';
import { Validation } from './validation.tsx';

const shown = '20';
const ofJob = (migrationJobId: number) => migrationExecutions({ migrationJobId, pageSize: shown });

/** Page of one job: its copies, its preview and its definition. */
export function JobPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={migrationJob(id)}>{(record) => <JobView key={record.id} job={record} />}</Record>;
}

function JobView({ job }: { readonly job: MigrationJob }) {
  const list = useQuery(ofJob(job.id));
  return (
    <>
      <PageHeader
        title={job.name}
        parent={{ to: paths.migrationJobs(), label: 'Data migration' }}
        facts={
          <>
            <Tag>{job.mode}</Tag>
            <code>{destinationOf(job)}</code>
            <ManagedBadge kind="MigrationJob" id={job.id} />
          </>
        }
        actions={<JobActs job={job} isUnderWay={list.data?.items.some(isUnderWay) ?? job.isRunning} />}
      />
      <Detail
        sections={[
          { id: 'copies', label: 'Copies', count: list.data?.totalCount, content: <Copies jobId={job.id} /> },
          { id: 'preview', label: 'What will happen', content: <Validation job={job} /> },
          { id: 'edit', label: 'Definition', content: <EditJob key={job.version} job={job} /> },
        ]}
        side={<Facts facts={factsOf(job)} />}
      />
    </>
  );
}

/** Copy that the address names, or the latest copy. A list of earlier copies follows. */
function Copies({ jobId }: { readonly jobId: number }) {
  const [{ execution }] = useAddress();
  const list = useQuery(ofJob(jobId));
  const named = Number(execution);
  const id = Number.isSafeInteger(named) && named > 0 ? named : list.data?.items[0]?.id;
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) {
    return (
      <Empty icon="migration" title="No copies yet">
        Look at what will happen, try it with the first rows, which are rolled back, or run it.
      </Empty>
    );
  }
  return (
    <>
      {id !== undefined && <Execution key={id} id={id} />}
      <div className="row">
        <h2>Latest copies</h2>
        <span className="grow" />
        <LinkButton to={paths.migrationHistory({ migrationJobId: jobId })}>All copies</LinkButton>
      </div>
      <Table
        label="Latest copies"
        columns={executionColumns.map(({ sort: _sort, ...column }) => column)}
        rows={list.data?.items}
        keyOf={(row) => row.id}
        to={(row) => paths.migrationJob(jobId, { execution: row.id })}
      />
    </>
  );
}

const none = <span className="soft">None</span>;

function factsOf(job: MigrationJob): readonly Fact[] {
  const { source, incremental } = job;
  return [
    { label: 'Description', value: job.description ?? <span className="soft">None</span> },
    { label: 'Reads', value: job.dataSourceName },
    {
      label: source.kind === 'Table' ? 'Table' : 'Query',
      value: <code>{source.kind === 'Table' ? `${source.schema}.${source.table}` : source.sql}</code>,
    },
    { label: 'Writes', value: <code>{destinationOf(job)}</code> },
    { label: 'Only newer by', value: incremental ? <code>{incremental.column}</code> : none },
    { label: 'Personal data', value: personalWords[job.personalData] },
    {
      label: 'Schedule',
      value:
        job.cronExpression === null ? (
          none
        ) : (
          <>
            <code>{job.cronExpression}</code> {job.timeZone} {!job.isEnabled && <Tag>Off</Tag>}
          </>
        ),
    },
    ...(job.missed
      ? [
          {
            label: 'Missed',
            value: (
              <>
                {plural(job.missed.count, 'due copy', 'due copies')}, the last{' '}
                <Time at={job.missed.lastDueAt} />
              </>
            ),
          },
        ]
      : []),
    { label: 'Owner', value: job.ownerName ?? <span className="soft">Nobody</span> },
    { label: 'Updated', value: <Time at={job.updatedAt} /> },
  ];
}

const personalWords: Readonly<globalThis.Record<MigrationJob['personalData'], string>> = {
  Refuse: 'Refused',
  Mask: 'Masked',
  Copy: 'Copied unmasked',
};
