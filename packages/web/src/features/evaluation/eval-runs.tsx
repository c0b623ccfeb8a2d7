import { Button } from '@mantine/core';
import { cancelEvalRun, type EvalResult, type EvalRun, type EvalVerdict, startEvalRun } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status, type Tone } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { percent } from './percent.ts';
import { evalResults, evalRun, evalRuns } from './requests/evaluation.ts';

const tones: Readonly<Record<EvalRun['state'], Tone>> = {
  Waiting: 'blue',
  Running: 'blue',
  Completed: 'green',
  Stopped: 'amber',
  Cancelled: 'neutral',
  Failed: 'red',
};

const columns: readonly Column<EvalRun>[] = [
  {
    id: 'when',
    label: 'Evaluation',
    cell: (row) => (
      <>
        <Time at={row.createdTime} />
        {row.projectName !== null && <div className="soft">{row.projectName}</div>}
        {row.minAccuracy !== null && <div className="soft">By schedule</div>}
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: '136px',
    cell: (row) => (
      <Status tone={tones[row.state]}>
        {row.finishedAt === null ? `${row.doneCount} of ${row.caseCount}` : row.state}
      </Status>
    ),
  },
  {
    id: 'accuracy',
    label: 'Right',
    width: '88px',
    align: 'right',
    cell: (row) => <span className="mono">{percent(row.accuracy, ...limitsOf(row))}</span>,
  },
  {
    id: 'interval',
    label: 'Interval',
    width: '128px',
    align: 'right',
    from: 640,
    cell: (row) =>
      row.accuracyLower !== null && (
        <span className="mono">
          {percent(row.accuracyLower)} to {percent(row.accuracyUpper)}
        </span>
      ),
  },
  {
    id: 'repairs',
    label: 'Repaired',
    width: '88px',
    align: 'right',
    from: 960,
    cell: (row) => <span className="mono">{count(row.repairs)}</span>,
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: '104px',
    align: 'right',
    from: 800,
    cell: (row) => <span className="mono">{count(row.tokens)}</span>,
  },
];

/** Evaluations of answers: starts them and shows the results of one. */
export function EvalRuns() {
  const [{ run }] = useAddress();
  const list = useQuery(evalRuns);
  const start = useChange(startEvalRun);
  const selectedId = /^\d{1,9}$/.test(run ?? '') ? Number(run) : undefined;
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const begin = (
    <Button loading={start.isPending} onClick={() => start.mutate({ body: {} })}>
      Evaluate now
    </Button>
  );
  if (list.data?.totalCount === 0)
    return (
      <>
        <Empty icon="check" title="No evaluations yet" action={begin}>
          An evaluation asks the questions of the golden examples and compares the rows that come with those
          that are right.
        </Empty>
        <ProblemNote error={start.error} />
      </>
    );
  return (
    <div className="stack">
      <div>{begin}</div>
      <ProblemNote error={start.error} />
      <Table
        label="Evaluations"
        columns={columns}
        rows={list.data?.items}
        keyOf={(row) => row.id}
        to={(row) => paths.evaluation({ run: row.id })}
      />
      {selectedId !== undefined && <Results key={selectedId} id={selectedId} />}
    </div>
  );
}

const verdictTones: Readonly<Record<EvalVerdict, Tone>> = {
  Passed: 'green',
  WrongRows: 'red',
  WrongTables: 'red',
  NotRun: 'red',
  Abstained: 'amber',
  AnsweredUnanswerable: 'red',
  Harness: 'neutral',
};

const verdictWords: Readonly<Record<EvalVerdict, string>> = {
  Passed: 'Right',
  WrongRows: 'Wrong rows',
  WrongTables: 'Wrong tables',
  NotRun: 'Not run',
  Abstained: 'Not answered',
  AnsweredUnanswerable: 'Answered anyway',
  Harness: 'Example at fault',
};

const resultColumns: readonly Column<EvalResult>[] = [
  {
    id: 'question',
    label: 'Question',
    cell: (row) => (
      <>
        {row.question}
        {row.detail !== null && <div className="soft">{row.detail}</div>}
      </>
    ),
  },
  {
    id: 'verdict',
    label: 'Verdict',
    width: '184px',
    cell: (row) => <Status tone={verdictTones[row.verdict]}>{verdictWords[row.verdict]}</Status>,
  },
  {
    id: 'repairs',
    label: 'Repaired',
    width: '96px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{row.repairs}</span>,
  },
];

/** Returns the accuracy that the schedule of an evaluation requires. Empty without a schedule. */
const limitsOf = ({ minAccuracy }: EvalRun): readonly number[] => (minAccuracy === null ? [] : [minAccuracy]);

function Results({ id }: { readonly id: number }) {
  const run = useQuery(evalRun(id));
  const results = useQuery(evalResults(id, run.data));
  const cancel = useChange(cancelEvalRun);
  if (run.isLoadingError) return <ProblemView error={run.error} onRetry={() => void run.refetch()} />;
  if (!run.data) return null;
  const { accuracy, abstentionShare, model, failure, finishedAt, caseCount, verdicts } = run.data;
  const facts = [
    accuracy !== null && `${percent(accuracy, ...limitsOf(run.data))} right`,
    abstentionShare !== null && `${percent(abstentionShare)} of questions without an answer recognised`,
    verdicts.Harness > 0 && `${plural(verdicts.Harness, 'example')} at fault, not counted`,
    model !== null && `model ${model}`,
  ].filter((fact) => fact !== false);
  return (
    <section aria-label="Results" className="stack-tight">
      <h2>Results of {plural(caseCount, 'question')}</h2>
      <p>{facts.join('; ')}</p>
      {failure !== null && <p>{failure}</p>}
      {finishedAt === null && (
        <div>
          <Button
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ params: { id } }, { onError: toastProblem })}
          >
            Cancel
          </Button>
        </div>
      )}
      <Table
        label="Results"
        columns={resultColumns}
        rows={results.data?.items}
        keyOf={(row) => row.id}
        isStale={results.isPlaceholderData}
      />
    </section>
  );
}
