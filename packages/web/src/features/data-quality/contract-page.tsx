import { Button } from '@mantine/core';
import { type ContractEvaluation, type DataContract, evaluateDataContract } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../access/use-rights.ts';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ContractActs } from './contract-acts.tsx';
import { ContractRecipients } from './contract-recipients.tsx';
import { Outcome, Score } from './outcome.tsx';
import { contract, evaluation, evaluations } from './requests/contracts.ts';
import { RuleResults } from './rule-results.tsx';
import { tableName } from './table-name.ts';

const shown = 50;

/** One data contract: its rules, how they stood, and its evaluations. */
export function ContractPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={contract(id)}>{(record) => <ContractView key={record.id} record={record} />}</Record>;
}

function ContractView({ record }: { readonly record: DataContract }) {
  const rights = useRights();
  const evaluate = useChange(evaluateDataContract);
  const list = useQuery(evaluations(record.id, shown));
  const latest = list.data?.items[0];
  const isUnderWay = latest?.status === 'Queued' || latest?.status === 'Running';
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.dataQuality(), label: 'Data quality' }}
        facts={
          <>
            <span role="status">{latest && <Outcome status={latest.status} />}</span>
            <code>{tableName(record)}</code>
            {!record.isEnabled && <Tag>Off</Tag>}
            {record.snoozedUntil !== null && <Tag>Snoozed</Tag>}
          </>
        }
        actions={
          rights.canWrite && (
            <>
              <ContractActs record={record} />
              <Button
                variant="filled"
                loading={evaluate.isPending || isUnderWay}
                onClick={() => evaluate.mutate({ params: { id: record.id } })}
              >
                Evaluate now
              </Button>
            </>
          )
        }
      />
      {evaluate.isError && <ProblemNote error={evaluate.error} />}
      <Detail
        sections={[
          {
            id: 'rules',
            label: 'Rules',
            count: record.rules.length,
            content: <Rules record={record} items={list.data?.items ?? []} />,
          },
          {
            id: 'evaluations',
            label: 'Evaluations',
            count: list.data?.totalCount,
            content: <Evaluations list={list} />,
          },
          {
            id: 'recipients',
            label: 'Recipients',
            count: record.recipients.length,
            content: <ContractRecipients record={record} canWrite={rights.canWrite} />,
          },
        ]}
        side={<Facts facts={factsOf(record)} />}
      />
    </>
  );
}

type RulesProps = { readonly record: DataContract; readonly items: readonly ContractEvaluation[] };

/** The rules as the last evaluation that ended saw them; one under way has no results yet. */
function Rules({ record, items }: RulesProps) {
  const ended = items.find(({ finishedAt }) => finishedAt !== null);
  const detail = useQuery({ ...evaluation(record.id, ended?.id ?? 0), enabled: ended !== undefined });
  return (
    <div className="stack-tight">
      {ended && (
        <p className="soft">
          Last evaluated <Time at={ended.finishedAt ?? ended.createdTime} />, score{' '}
          <Score value={ended.score} />
          {ended.reason !== null && `. Nothing could be judged: ${words(ended.reason).toLowerCase()}`}
        </p>
      )}
      {detail.isLoadingError && <ProblemNote error={detail.error} />}
      <RuleResults rules={record.rules} results={detail.data?.results} />
    </div>
  );
}

const columns: readonly Column<ContractEvaluation>[] = [
  { id: 'status', label: 'Outcome', cell: (row) => <Outcome status={row.status} /> },
  { id: 'score', label: 'Score', width: '88px', align: 'right', cell: (row) => <Score value={row.score} /> },
  {
    id: 'why',
    label: 'Started by',
    width: '152px',
    from: 480,
    cell: (row) => row.startedByUserName ?? words(row.trigger),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

function Evaluations({ list }: { readonly list: ReturnType<typeof useQuery<EvaluationPage, Error>> }) {
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) {
    return (
      <Empty icon="quality" title="Not evaluated yet">
        The schedule evaluates it, and so does Evaluate now, which tells nobody.
      </Empty>
    );
  }
  return <Table label="Evaluations" columns={columns} rows={list.data?.items} keyOf={(row) => row.id} />;
}
type EvaluationPage = { readonly items: ContractEvaluation[]; readonly totalCount: number };

function factsOf(record: DataContract): readonly Fact[] {
  const { schedule, recipients } = record;
  return [
    { label: 'What for', value: record.description ?? <span className="soft">Not said</span> },
    {
      label: 'Data source',
      value: <Link to={paths.dataSource(record.dataSourceId)}>{record.dataSourceName}</Link>,
    },
    { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
    { label: 'Owner', value: record.ownerName ?? <span className="soft">Nobody</span> },
    {
      label: 'Schedule',
      value: schedule === null ? <span className="soft">None</span> : schedule.description,
    },
    { label: 'Warns below', value: <Score value={record.warnScore} /> },
    { label: 'Fails below', value: <Score value={record.failScore} /> },
    {
      label: 'Sent to',
      value:
        recipients.length === 0 ? (
          <span className="soft">Nobody</span>
        ) : (
          recipients.map(({ name }) => name).join(', ')
        ),
    },
    ...(record.snoozedUntil === null
      ? []
      : [
          { label: 'Snoozed until', value: <Time at={record.snoozedUntil} /> },
          { label: 'Snoozed because', value: record.snoozeReason ?? <span className="soft">Not said</span> },
        ]),
    { label: 'Created', value: <Time at={record.createdTime} /> },
  ];
}
