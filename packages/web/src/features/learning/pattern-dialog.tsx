import { Button } from '@mantine/core';
import { decideLearnedPattern, type LearnedPattern, type PatternReplay } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Sentence, Status } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { StatementText } from '../../views/sql/statement-text.tsx';
import { learnedPattern, patternReplay } from './requests/learning.ts';
import { kindWords, stateTones } from './words.ts';

type Props = { readonly id: number; readonly onClose: () => void };

/** Details for the decision about a pattern: its observations, and the check against golden examples. */
export function PatternDialog({ id, onClose }: Props) {
  const pattern = useQuery(learnedPattern(id));
  return (
    <Dialog title={pattern.data ? kindWords[pattern.data.kind] : 'Pattern'} size={640} onClose={onClose}>
      {pattern.isLoadingError && <ProblemView error={pattern.error} onRetry={() => void pattern.refetch()} />}
      {pattern.data && <Decision pattern={pattern.data} onClose={onClose} />}
    </Dialog>
  );
}

function Decision({ pattern, onClose }: { readonly pattern: LearnedPattern; readonly onClose: () => void }) {
  const { id, text, statement, state } = pattern;
  const isSuperseded = state === 'Superseded';
  const replay = useQuery({ ...patternReplay(id), enabled: !isSuperseded, staleTime: Infinity });
  const decide = useChange(decideLearnedPattern, { touches: ['projects'] });
  const become = (newStatus: Verdict, message: string) =>
    decide.mutate(
      { params: { id }, body: { newStatus } },
      {
        onSuccess: () => {
          toastDone(message);
          onClose();
        },
      },
    );
  return (
    <div className="stack">
      {statement === null ? (
        <p style={{ overflowWrap: 'anywhere' }}>{text}</p>
      ) : (
        <StatementText sql={statement} about="common query" />
      )}
      <PatternFacts pattern={pattern} />
      <section className="stack-tight" aria-label="Golden examples">
        <h2>Golden examples</h2>
        {replay.data ? (
          <Replayed replay={replay.data} />
        ) : (
          <p className="soft" aria-busy={replay.isFetching}>
            {replay.isFetching ? 'Checking them against the data source …' : 'Not replayed.'}
          </p>
        )}
      </section>
      <ProblemNote error={replay.error ?? decide.error} />
      {isSuperseded ? (
        <Sentence tone="amber">
          The schema of the data source does not have these names any more. It comes back when they do.
        </Sentence>
      ) : (
        <DecisionButtons pattern={pattern} isPending={decide.isPending} onDecide={become} />
      )}
    </div>
  );
}

type Verdict = 'Approved' | 'Rejected';

type ButtonsProps = {
  readonly pattern: LearnedPattern;
  readonly isPending: boolean;
  /** Called with the new state and the message for the user. */
  readonly onDecide: (state: Verdict, message: string) => void;
};

function DecisionButtons({ pattern: { state, canDecide }, isPending, onDecide }: ButtonsProps) {
  if (!canDecide) return <p className="soft">Deciding needs the right to write in the project.</p>;
  return (
    <div className="row wrap" style={{ justifyContent: 'flex-end' }}>
      {state !== 'Rejected' && (
        <Button loading={isPending} onClick={() => onDecide('Rejected', 'The pattern was rejected.')}>
          Reject
        </Button>
      )}
      {state !== 'Approved' && (
        <Button
          variant="filled"
          loading={isPending}
          onClick={() => onDecide('Approved', 'AI clients use it from now on.')}
        >
          Approve
        </Button>
      )}
    </div>
  );
}

function PatternFacts({ pattern }: { readonly pattern: LearnedPattern }) {
  const { state, decidedAt, decidedByUserName } = pattern;
  return (
    <Facts
      facts={[
        { label: 'State', value: <Status tone={stateTones[state]}>{state}</Status> },
        {
          label: 'Seen',
          value: `In ${plural(pattern.signalCount, 'statement')} of ${plural(pattern.callerCount, 'caller')}`,
        },
        { label: 'Data source', value: `${pattern.dataSourceName}, ${pattern.projectName}` },
        { label: 'Last seen', value: <Time at={pattern.lastRefreshedAt} /> },
        ...(decidedAt === null
          ? []
          : [
              {
                label: 'Decided',
                value: (
                  <>
                    <Time at={decidedAt} /> by {decidedByUserName ?? 'a program'}
                  </>
                ),
              },
            ]),
      ]}
    />
  );
}

const examples = (count: number): string => `${plural(count, 'example')} ${count === 1 ? 'does' : 'do'}`;

/**
 * Describes the check against golden examples. It is always shown, so that a missing check is not mistaken for
 * agreement.
 */
function Replayed({ replay }: { readonly replay: PatternReplay }) {
  const { exampleCount, checkedCount, agreeing, contradicting, broken } = replay;
  if (exampleCount === 0)
    return (
      <p className="soft">No golden example is about the same tables, so none speaks for or against it.</p>
    );
  return (
    <>
      <p>
        {plural(exampleCount, 'example')} about the same tables; {checkedCount} checked against the data
        source, none run.
      </p>
      {agreeing > 0 && <Sentence tone="green">{`${examples(agreeing)} as it says.`}</Sentence>}
      {contradicting > 0 && <Sentence tone="red">{`${examples(contradicting)} otherwise.`}</Sentence>}
      {broken > 0 && <Sentence tone="amber">{`A gate refuses ${plural(broken, 'example')} now.`}</Sentence>}
      {agreeing + contradicting + broken === 0 && <p className="soft">None speaks for or against it.</p>}
    </>
  );
}
