import type { AnswerFeedback } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { feedback } from './requests/evaluation.ts';

const shown = 100;

const columns: readonly Column<AnswerFeedback>[] = [
  {
    id: 'question',
    label: 'Question',
    cell: (row) => (
      <>
        {row.question}
        {row.comment !== null && <div className="soft">{row.comment}</div>}
      </>
    ),
  },
  {
    id: 'verdict',
    label: 'Feedback',
    width: '104px',
    cell: (row) => <Status tone={row.verdict === 'Right' ? 'green' : 'red'}>{row.verdict}</Status>,
  },
  { id: 'project', label: 'Project', width: '160px', from: 800, cell: (row) => row.projectName },
  { id: 'user', label: 'By', width: '136px', from: 960, cell: (row) => row.userName },
  { id: 'at', label: 'When', width: '112px', from: 480, cell: (row) => <Time at={row.givenAt} isQuiet /> },
];

/** Feedback of users about answers, newest first. */
export function SaidOfAnswers() {
  const list = useQuery(feedback({ pageSize: String(shown) }));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0)
    return (
      <Empty icon="ask" title="No feedback yet">
        People say on the page Ask, and AI clients with the tool feedback, whether an answer was right.
      </Empty>
    );
  const total = list.data?.totalCount ?? 0;
  return (
    <>
      <Table label="Feedback" columns={columns} rows={list.data?.items} keyOf={(row) => row.id} />
      {total > shown && (
        <p className="soft">
          The first {shown} of {count(total)}.
        </p>
      )}
    </>
  );
}
