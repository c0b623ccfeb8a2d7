import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../../ui/frame/flow-page.tsx';
import { Step, StepList } from '../../../ui/frame/flow-steps.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { ScheduleFields } from '../../../views/schedule/schedule-fields.tsx';
import { MessageStep } from './message-step.tsx';
import { QueryStep } from './query-step.tsx';
import { RecipientsStep } from './recipients-step.tsx';
import { SummaryStep } from './summary-step.tsx';
import { useCreateSubscription } from './use-create-subscription.ts';
import { type Replaced, steps, useWizard, type Wizard } from './use-wizard.ts';

type Props = {
  readonly queryId: number | null;
  readonly replaces: Replaced | null;
};

/** Wizard for a new subscription. It shows one question at a time and offers a test before the end. */
export function NewSubscription({ queryId, replaces }: Props) {
  const wizard = useWizard(queryId, replaces);
  const [isOldArchived, setOldArchived] = useState(true);
  const creation = useCreateSubscription(wizard.choices, isOldArchived && replaces ? replaces.record : null);
  const { at, goTo, step, isReady, newRecipient } = wizard;
  const isLast = step === 'Summary';
  const goOn = async () => {
    if (!(await wizard.finishStep())) return;
    if (isLast) await creation.create(false);
    else goTo(at + 1);
  };

  return (
    <FlowPage
      title={replaces ? 'Replace a subscription' : 'New subscription'}
      parent={{ to: paths.subscriptions(), label: 'Subscriptions' }}
    >
      <UnsavedGuard isDirty={wizard.isDirty} />
      <StepList steps={steps} at={at} onStep={goTo} />
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void goOn();
        }}
      >
        <ProblemNote error={creation.error ?? wizard.query.error} />
        <StepFields wizard={wizard} />
        {isLast && replaces && (
          <Checkbox
            label="Archive the one that this replaces"
            description="Otherwise both run."
            checked={isOldArchived}
            onChange={(event) => setOldArchived(event.currentTarget.checked)}
          />
        )}
        <div className="row wrap">
          {at > 0 && (
            <Button variant="subtle" onClick={() => goTo(at - 1)}>
              Back
            </Button>
          )}
          <Actions
            isLast={isLast}
            isReady={isReady}
            isAdding={wizard.isAddingRecipient}
            isBusy={creation.isCreating || newRecipient.form.isSending}
            onSendNow={() => void creation.create(true)}
          />
        </div>
      </form>
    </FlowPage>
  );
}

/** Fields of the present step. */
function StepFields({ wizard }: { readonly wizard: Wizard }) {
  const { step, choices, change, newRecipient, query } = wizard;
  if (step === 'Query') return <QueryStep choices={choices} change={change} />;
  if (step === 'Schedule')
    return (
      <Step title="When does it run?">
        <ScheduleFields
          plan={choices.plan}
          timeZone={choices.timeZone}
          onPlan={(plan) => change({ plan })}
          onTimeZone={(timeZone) => change({ timeZone })}
        />
      </Step>
    );
  if (step === 'Recipients')
    return <RecipientsStep choices={choices} change={change} newRecipient={newRecipient} />;
  if (step === 'Message') return <MessageStep choices={choices} change={change} query={query.data} />;
  return query.data && <SummaryStep choices={choices} query={query.data} />;
}

type ActionsProps = {
  readonly isLast: boolean;
  readonly isReady: boolean;
  readonly isAdding: boolean;
  readonly isBusy: boolean;
  readonly onSendNow: () => void;
};

function Actions({ isLast, isReady, isAdding, isBusy, onSendNow }: ActionsProps) {
  const onward = isAdding ? 'Add and continue' : 'Continue';
  return (
    <>
      <Button type="submit" variant="filled" disabled={!isReady} loading={isBusy}>
        {isLast ? 'Create subscription' : onward}
      </Button>
      {isLast && (
        <Button leftSection={<Icon name="send" />} disabled={isBusy} onClick={onSendNow}>
          Create and send now
        </Button>
      )}
    </>
  );
}
