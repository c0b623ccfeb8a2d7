import type { ContractEvaluation, DataContract } from '@svc/contract';
import type { useQuery } from '@tanstack/react-query';
import { plural, words } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { Outcome, Score } from '../outcome.tsx';
import { ScoreChart } from './score-chart.tsx';

/** Maximum number of evaluations on the page of a contract. */
export const shown = 50;

const columns: readonly Column<ContractEvaluation>[] = [
  { id: 'status', label: 'Outcome', cell: (row) => <Outcome status={row.status} /> },
  {
    id: 'score',
    label: 'Score',
    width: '88px',
    align: 'right',
    cell: (row) => <Score value={row.score} limits={row.failScore === null ? [] : [row.failScore]} />,
  },
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

type EvaluationsProps = {
  readonly record: DataContract;
  readonly list: ReturnType<typeof useQuery<EvaluationPage, Error>>;
};

/** Evaluations of a contract over time, as a chart and as a table. */
export function Evaluations({ record, list }: EvaluationsProps) {
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) {
    return (
      <Empty icon="quality" title="Not evaluated yet">
        It is evaluated on its schedule, and by Evaluate now, which sends no alerts.
      </Empty>
    );
  }
  const ended = list.data?.items.filter(({ finishedAt }) => finishedAt !== null).toReversed() ?? [];
  const to = ({ id }: { readonly id: number }) => paths.contract(record.id, { evaluation: id });
  return (
    <>
      <ScoreChart points={ended} warnScore={record.warnScore} failScore={record.failScore} to={to} />
      <Table
        label="Evaluations"
        columns={columns}
        rows={list.data?.items}
        keyOf={(row) => row.id}
        to={(row) => (row.finishedAt === null ? paths.contract(record.id) : to(row))}
      />
      {(list.data?.totalCount ?? 0) > shown && (
        <p className="soft">{`The newest ${plural(shown, 'evaluation')}.`}</p>
      )}
    </>
  );
}
type EvaluationPage = { readonly items: ContractEvaluation[]; readonly totalCount: number };
