import { useQuery } from '@tanstack/react-query';
import { query } from '../../requests/queries.ts';
import { lastResult } from '../../requests/runs/last-result.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageSkeleton } from '../../ui/feedback/skeleton.tsx';
import { KeptResult } from '../../views/results/kept-result.tsx';

type Props = { readonly queryId: number; readonly taskId: number };

/** Rows of the last run that ended while the task was open and stored its rows, if the caller may see the run. */
export function TaskRows({ queryId, taskId }: Props) {
  const rows = useQuery(lastResult(queryId, { taskId }));
  const present = useQuery({ ...query(queryId), enabled: rows.data?.lastResult != null });
  if (rows.isLoadingError) return <ProblemView error={rows.error} onRetry={() => void rows.refetch()} />;
  if (rows.isPending) return <PageSkeleton />;
  const { lastResult: kept } = rows.data;
  if (kept === null)
    return (
      <Empty icon="task" title="No stored rows">
        No run of this task stored rows that you may see. The subscription decides whether runs store them.
      </Empty>
    );
  return <KeptResult kept={kept} presentVersion={present.data?.versionNumber ?? null} />;
}
