import { Button } from '@mantine/core';
import { dismissCandidate, type GoldenCandidate, promoteCandidate } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { StatementText } from '../../views/sql/statement-text.tsx';
import classes from './evaluation.module.css';
import { candidates } from './requests/evaluation.ts';

const shown = 50;

/** Statements that users rated as correct. An admin accepts them as golden examples or rejects them. */
export function Candidates() {
  const list = useQuery(candidates({ pageSize: String(shown) }));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0)
    return (
      <Empty icon="check" title="No candidates">
        A statement that somebody called right on the page Ask waits here for you to make a golden example of
        it.
      </Empty>
    );
  const total = list.data?.totalCount ?? 0;
  return (
    <>
      <ul className={classes['list']} aria-label="Candidates" aria-busy={!list.data}>
        {list.data?.items.map((candidate) => (
          <Candidate key={candidate.id} candidate={candidate} />
        ))}
      </ul>
      {total > shown && (
        <p className="soft">
          The first {shown} of {count(total)}.
        </p>
      )}
    </>
  );
}

function Candidate({ candidate }: { readonly candidate: GoldenCandidate }) {
  const { id, question, sql, comment, userName, projectName, dataSourceName } = candidate;
  const promote = useChange(promoteCandidate);
  const dismiss = useChange(dismissCandidate);
  const params = { id };
  const done = (text: string) => ({ onSuccess: () => toastDone(text), onError: toastProblem });
  return (
    <li className={`panel ${classes['item']}`}>
      <h2 className={classes['question']}>{question}</h2>
      <p className="soft">
        {[projectName, dataSourceName, userName].filter((part) => part !== null).join(', ')}
      </p>
      {comment !== null && <p>{comment}</p>}
      <StatementText sql={sql} about={question} />
      <div className="row wrap">
        <Button
          loading={promote.isPending}
          aria-label={`Create a golden example from: ${question}`}
          onClick={() => promote.mutate({ params, body: {} }, done('Golden example created.'))}
        >
          Create golden example
        </Button>
        <Button
          loading={dismiss.isPending}
          aria-label={`Dismiss: ${question}`}
          onClick={() => dismiss.mutate({ params }, done('Dismissed.'))}
        >
          Dismiss
        </Button>
      </div>
    </li>
  );
}
