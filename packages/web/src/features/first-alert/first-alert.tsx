import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { refusedParts } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { draftCount } from '../../requests/runs/query-runs.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { StepList, useFocusOnQuestion } from '../../ui/frame/flow-steps.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { useCondition, useData, useTarget } from './answers.ts';
import { conditionWords, queryName, type Ready, schedules, type Target } from './choices.ts';
import { ConditionStep } from './condition-step.tsx';
import { DataStep } from './data-step.tsx';
import { SummaryStep } from './summary-step.tsx';
import { TargetStep } from './target-step.tsx';
import { useMaking } from './use-making.ts';

const steps = ['Data', 'Condition', 'Recipient', 'Send'] as const;
const last = steps.length - 1;

type Props = { readonly dataSourceId: number | null; readonly projectId: number | null };

/** Flow of the first alert: data, condition, recipient, and a run with its delivery. */
export function FirstAlert(props: Props) {
  const go = useGo();
  const making = useMaking();
  const [at, setAt] = useState(0);
  const [ready, setReady] = useState<Ready | null>(null);
  const data = useData(props);
  const when = useCondition(ready);
  const to = useTarget(making);
  const [chosenName, setName] = useState<string | null>(null);
  const [cronExpression, setSchedule] = useState<string>(schedules[0].value);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const name = chosenName ?? queryName(when.table, when.condition);
  useFocusOnQuestion(at);

  const dataDone = async () => {
    const made = await making.prepare(data.origin, data.projectId);
    if (!made) return;
    if (made.dataSourceId !== ready?.dataSourceId) await when.begin(made);
    setReady(made);
    setAt(1);
  };
  const send = async () => {
    if (!ready || when.sql === undefined || to.recipientId === null) return;
    const alert = { name: name.trim(), sql: when.sql, cronExpression, recipientId: to.recipientId };
    const runId = await making.send(ready, alert);
    toastDone(`“${alert.name}” was created, and runs now.`);
    go(paths.notification(runId), { replace: true, isSaved: true });
  };
  const done = [
    dataDone,
    () => when.check().then(() => setAt(2)),
    () => to.make().then(() => setAt(last)),
    send,
  ];
  const isAnswered =
    [data.isAnswered, when.sql !== undefined, to.isAnswered, name.trim() !== ''][at] ?? false;
  const goOn = async () => {
    setError(null);
    setBusy(true);
    await done[at]?.().catch(setError);
    setBusy(false);
  };
  const goTo = (step: number) => {
    setError(null);
    setAt(step);
  };
  const atDestination = to.target.kind === 'new' ? refusedParts(error)['destination'] : undefined;

  return (
    <FlowPage title="Get your first alert" parent={{ to: paths.home(), label: 'Home' }}>
      <UnsavedGuard isDirty={at > 0} />
      <StepList steps={steps} at={at} onStep={goTo} />
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isAnswered && !isBusy) void goOn();
        }}
      >
        {at === 0 && <DataStep data={data} />}
        {at === 1 && ready && <ConditionStep engine={ready.engine} when={when} />}
        {at === 2 && <TargetStep to={to} error={atDestination} />}
        {at === last && (
          <Summary
            when={when}
            to={to}
            name={name}
            onName={setName}
            cronExpression={cronExpression}
            onSchedule={setSchedule}
          />
        )}
        {atDestination === undefined && <ProblemNote error={error ?? data.error ?? to.error} />}
        <div className="row wrap">
          {at > 0 && (
            <Button variant="subtle" onClick={() => goTo(at - 1)}>
              Back
            </Button>
          )}
          <Button type="submit" variant="filled" disabled={!isAnswered} loading={isBusy}>
            {at === last ? 'Create and send now' : 'Continue'}
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}

type SummaryProps = {
  readonly when: ReturnType<typeof useCondition>;
  readonly to: ReturnType<typeof useTarget>;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly cronExpression: string;
  readonly onSchedule: (cronExpression: string) => void;
};

function Summary({ when, to, ...rest }: SummaryProps) {
  const counted = useQuery(draftCount(when.body));
  return (
    <SummaryStep
      condition={conditionWords(when.table, when.condition)}
      target={targetWords(to.target, to.recipients)}
      sql={when.sql ?? ''}
      rowCount={counted.data?.totalCount}
      {...rest}
    />
  );
}

/** Describes the recipient for the summary. */
function targetWords(
  target: Target,
  recipients: readonly { readonly id: number; readonly name: string }[],
): string {
  if (target.kind === 'inbox') return 'the inbox of this host';
  if (target.kind === 'new') return target.destination.trim();
  return recipients.find(({ id }) => id === target.recipientId)?.name ?? '';
}
