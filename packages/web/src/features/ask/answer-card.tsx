import { Button } from '@mantine/core';
import {
  type Answer,
  type AnswerExplanation,
  type AnswerStage,
  type AnswerState,
  cancelAnswer,
  explainAnswer,
  giveFeedback,
  runAnswer,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { duration, plural, takenInWords } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { Status, Tag, type Tone } from '../../ui/record/status.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { Time } from '../../ui/text/time.tsx';
import { rowsOf } from '../../views/results/cells.ts';
import { ResultGrid } from '../../views/results/later-grid.tsx';
import { StatementText } from '../../views/sql/statement-text.tsx';
import classes from './ask.module.css';
import { answer } from './requests/ask.ts';

const states: Readonly<Record<AnswerState, { readonly tone: Tone; readonly word: string }>> = {
  Waiting: { tone: 'blue', word: 'Waiting' },
  Working: { tone: 'blue', word: 'Working' },
  Answered: { tone: 'green', word: 'Answered' },
  NeedsClarification: { tone: 'amber', word: 'Needs your answer' },
  CannotAnswer: { tone: 'neutral', word: 'The data does not answer this' },
  Refused: { tone: 'amber', word: 'Refused' },
  Failed: { tone: 'red', word: 'Failed' },
  Cancelled: { tone: 'neutral', word: 'Cancelled' },
};

const stages: Readonly<Record<AnswerStage, string>> = {
  Matching: 'Looking for a checked answer…',
  Grounding: 'Reading what is known of the data…',
  Writing: 'Writing the statement…',
  Checking: 'Checking the statement…',
  Running: 'Running the statement…',
};

/** Question with its answer. */
export function AnswerCard({ id }: { readonly id: number }) {
  const read = useQuery(answer(id));
  if (read.isLoadingError) return <ProblemView error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data) return <div className={`panel ${classes['answer']}`} aria-busy="true" />;
  return <Shown record={read.data} />;
}

function Shown({ record }: { readonly record: Answer }) {
  const { question, state, stage, finishedAt, failure, missing } = record;
  const { tone, word } = states[state];
  return (
    <article className={`panel ${classes['answer']}`} aria-label={question}>
      <h2 className={classes['question']}>{question}</h2>
      <div className="row wrap">
        <span role="status">
          <Status tone={tone}>{stage === null ? word : stages[stage]}</Status>
        </span>
        {record.basis === 'Checked' && <Tag>Checked by people</Tag>}
        {record.basis === 'Model' && record.confidence !== null && (
          <Tag>{`${record.confidence} confidence`}</Tag>
        )}
        <Time at={record.askedAt} isQuiet />
      </div>
      {record.votes !== null && (
        <p className="soft">
          {record.votes.agreed} of {record.votes.of} candidates agreed.
        </p>
      )}
      {failure !== null && <p>{failure.message}</p>}
      {missing !== null && missing !== failure?.message && <p>{missing}</p>}
      {record.clarification !== null && <Clarification {...record.clarification} />}
      <Notes title="Assumptions" notes={record.assumptions} />
      <Notes title="Check this" notes={record.advisories} />
      {record.sql !== null && <Statement sql={record.sql} question={question} />}
      <Rows record={record} />
      {finishedAt === null ? <Cancel id={record.id} /> : <Acts record={record} />}
    </article>
  );
}

function Clarification({ question, options }: NonNullable<Answer['clarification']>) {
  return (
    <div>
      <p>{question}</p>
      {options.length > 0 && (
        <ul className={classes['notes']}>
          {options.map((option) => (
            <li key={option}>{option}</li>
          ))}
        </ul>
      )}
      <p className="soft">Ask again, and say which one you mean.</p>
    </div>
  );
}

function Notes({ title, notes }: { readonly title: string; readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div>
      <p className="soft">{title}</p>
      <ul className={classes['notes']}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

const Statement = ({ sql, question }: { readonly sql: string; readonly question: string }) => (
  <div className="stack-tight">
    <StatementText sql={sql} about={question} />
    <div>
      <CopyButton value={sql} label="Copy statement" />
    </div>
  </div>
);

function Rows({ record }: { readonly record: Answer }) {
  const { rows, columns, truncatedBy } = record;
  if (rows === null) return null;
  if (rows.length === 0) return <p>No rows.</p>;
  const first = `the first ${plural(rows.length, 'row')}`;
  return (
    <>
      <div className={`panel ${classes['rows']}`}>
        <ResultGrid
          label="Rows of the answer"
          columns={columns.map((column) => ({ databaseType: '', ...column }))}
          rows={rowsOf({ rows })}
          part={truncatedBy === null ? undefined : first}
        />
      </div>
      <p className="soft">
        {truncatedBy === null ? plural(rows.length, 'row') : `There are more: ${first} are shown.`}
      </p>
    </>
  );
}

function Cancel({ id }: { readonly id: number }) {
  const cancel = useChange(cancelAnswer);
  return (
    <div>
      <Button
        leftSection={<Icon name="stop" />}
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { id } }, { onError: toastProblem })}
      >
        Cancel
      </Button>
    </div>
  );
}

/** Actions that rerun the statement and rate the answer. */
function Acts({
  record: { id, sql, rows, state, feedback, tokens, cost, durationMs },
}: {
  readonly record: Answer;
}) {
  const run = useChange(runAnswer);
  const explain = useChange(explainAnswer);
  const say = useChange(giveFeedback);
  const tell = (verdict: 'Right' | 'Wrong') =>
    say.mutate(
      { params: { id }, body: { verdict } },
      { onSuccess: () => toastDone('Thanks. Admins see your feedback.'), onError: toastProblem },
    );
  if (sql === null) return null;
  return (
    <>
      <div className="row wrap">
        {state === 'Answered' && (
          <Button
            leftSection={<Icon name="run" />}
            loading={run.isPending}
            onClick={() => run.mutate({ params: { id } })}
          >
            Run again
          </Button>
        )}
        {state === 'Answered' && rows !== null && rows.length > 0 && (
          <Button loading={explain.isPending} onClick={() => explain.mutate({ params: { id } })}>
            Explain
          </Button>
        )}
        <Button aria-pressed={feedback === 'Right'} disabled={say.isPending} onClick={() => tell('Right')}>
          {feedback === 'Right' ? 'Marked right' : 'Mark as right'}
        </Button>
        <Button aria-pressed={feedback === 'Wrong'} disabled={say.isPending} onClick={() => tell('Wrong')}>
          {feedback === 'Wrong' ? 'Marked wrong' : 'Mark as wrong'}
        </Button>
        <span className="soft">
          {durationMs !== null && duration(durationMs)}
          {tokens.input + tokens.output > 0 && `, ${takenInWords({ tokens, cost })}`}
        </span>
      </div>
      {explain.data && <Explanation record={explain.data} />}
      <ProblemNote error={run.error} />
      <ProblemNote error={explain.error} />
    </>
  );
}

/** Explanation of the rows by a language model. The text is untrusted, so it is rendered as plain text. */
const Explanation = ({ record }: { readonly record: AnswerExplanation }) => (
  <section aria-label="Explanation" className="stack-tight">
    <p className={classes['explanation']}>{record.explanation}</p>
    <p className="soft">
      Written by {record.model} from {plural(record.rowCount, 'masked row')}, {takenInWords(record)}. It may
      be wrong.
    </p>
  </section>
);
