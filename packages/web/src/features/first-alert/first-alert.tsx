import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { refusedParts } from '../../lib/form.ts';
import { paths } from '../../lib/paths.ts';
import { draftCount } from '../../requests/runs/query-runs.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../ui/frame/flow-page.tsx';
import { StepList } from '../../ui/frame/flow-steps.tsx';
import { conditionWords, type Target } from './choices.ts';
import { ConditionStep } from './condition-step.tsx';
import { DataStep } from './data-step.tsx';
import { SummaryStep } from './summary-step.tsx';
import { TargetStep } from './target-step.tsx';
import {
  type FirstAlertState,
  lastStep,
  type Preselection,
  steps,
  useFirstAlert,
} from './use-first-alert.ts';

/** Flow of the first alert: data, condition, recipient, and a run with its delivery. */
export function FirstAlert(props: Preselection) {
  const state = useFirstAlert(props);
  const { at, goTo, goOn, ready, data, when, to, error, isAnswered, isBusy } = state;
  const destinationError = to.target.kind === 'new' ? refusedParts(error)['destination'] : undefined;
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
        {at === 2 && <TargetStep to={to} error={destinationError} />}
        {at === lastStep && <Summary state={state} />}
        {destinationError === undefined && <ProblemNote error={error ?? data.error ?? to.error} />}
        <div className="row wrap">
          {at > 0 && (
            <Button variant="subtle" onClick={() => goTo(at - 1)}>
              Back
            </Button>
          )}
          <Button type="submit" variant="filled" disabled={!isAnswered} loading={isBusy}>
            {at === lastStep ? 'Create and send now' : 'Continue'}
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}

function Summary({ state }: { readonly state: FirstAlertState }) {
  const { when, to } = state;
  const { data: preview } = useQuery(draftCount(when.body));
  return (
    <SummaryStep
      condition={conditionWords(when.table, when.condition)}
      target={targetWords(to.target, to.recipients)}
      sql={when.sql ?? ''}
      rowCount={preview?.totalCount}
      name={state.name}
      onName={state.setName}
      cronExpression={state.cronExpression}
      onSchedule={state.setSchedule}
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
