import { Button, Checkbox } from '@mantine/core';
import {
  archiveSubscription,
  createSubscription,
  type RowRoute,
  type Subscription,
  testRunSubscription,
} from '@svc/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { query as queryRead } from '../../../requests/queries.ts';
import { schedulePreview } from '../../../requests/schedules.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx';
import { FlowPage } from '../../../ui/frame/flow-page.tsx';
import { Step, StepList, useFocusOnQuestion } from '../../../ui/frame/flow-steps.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { expressionOf } from '../../../views/schedule/cron.ts';
import { ScheduleFields } from '../../../views/schedule/schedule-fields.tsx';
import { areSettingsSound, bodyOf, type Choices, choicesOf, firstChoices } from './choices.ts';
import { MessageStep } from './message-step.tsx';
import { useNewRecipient } from './new-recipient.ts';
import { QueryStep } from './query-step.tsx';
import { RecipientsStep } from './recipients-step.tsx';
import { SummaryStep } from './summary-step.tsx';

const steps = ['Query', 'Schedule', 'Recipients', 'Message', 'Summary'] as const;
const last = steps.length - 1;

type Props = {
  readonly queryId: number | null;
  /** Subscription that the new one replaces. */
  readonly replaces: { readonly record: Subscription; readonly routes: readonly RowRoute[] } | null;
};

/** Wizard for a new subscription. It shows one question at a time and offers a test before the end. */
export function NewSubscription({ queryId, replaces }: Props) {
  const [at, setAt] = useState(queryId === null && !replaces ? 0 : 1);
  const [start] = useState<Choices>(() =>
    replaces ? choicesOf(replaces.record, replaces.routes) : firstChoices(queryId),
  );
  const [choices, setChoices] = useState(start);
  const [isOldArchived, setOldArchived] = useState(true);
  const client = useQueryClient();
  const added = useNewRecipient();
  const making = useMaking(choices, isOldArchived && replaces ? replaces.record : null);
  const chosen = useQuery({ ...queryRead(choices.queryId ?? 0), enabled: choices.queryId !== null });
  const change = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const hasRecipient = choices.recipients.length > 0 || added.isFilled || choices.createTasks;
  const isReady = [choices.queryId !== null, true, hasRecipient, areSettingsSound(choices), true];
  useFocusOnQuestion(at);

  const isSchedule = () =>
    client.ensureQueryData(schedulePreview(expressionOf(choices.plan), choices.timeZone)).then(
      () => true,
      () => false,
    );
  const goOn = async () => {
    // The service validates the schedule in this step, so that its error appears at the field.
    if (at === 1 && !(await isSchedule())) return;
    if (at === 2 && added.isFilled) {
      const recipient = await added.save();
      if (recipient === undefined) return;
      change({ recipients: [...choices.recipients, recipient] });
    }
    if (at < last) setAt(at + 1);
    else await making.make(false);
  };

  return (
    <FlowPage
      title={replaces ? 'Replace a subscription' : 'New subscription'}
      parent={{ to: paths.subscriptions(), label: 'Subscriptions' }}
    >
      <UnsavedGuard isDirty={added.isFilled || JSON.stringify(choices) !== JSON.stringify(start)} />
      <StepList steps={steps} at={at} onStep={setAt} />
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady[at]) void goOn();
        }}
      >
        <ProblemNote error={making.error ?? chosen.error} />
        {at === 0 && <QueryStep choices={choices} change={change} />}
        {at === 1 && (
          <Step title="When does it run?">
            <ScheduleFields
              plan={choices.plan}
              timeZone={choices.timeZone}
              onPlan={(plan) => change({ plan })}
              onTimeZone={(timeZone) => change({ timeZone })}
            />
          </Step>
        )}
        {at === 2 && <RecipientsStep choices={choices} change={change} added={added} />}
        {at === 3 && <MessageStep choices={choices} change={change} query={chosen.data} />}
        {at === last && chosen.data && <SummaryStep choices={choices} query={chosen.data} />}
        {at === last && replaces && (
          <Checkbox
            label="Archive the one that this replaces"
            description="Otherwise both run."
            checked={isOldArchived}
            onChange={(event) => setOldArchived(event.currentTarget.checked)}
          />
        )}
        <div className="row wrap">
          {at > 0 && (
            <Button variant="subtle" onClick={() => setAt(at - 1)}>
              Back
            </Button>
          )}
          <Acts
            at={at}
            isReady={isReady[at] ?? false}
            isAdding={at === 2 && added.isFilled}
            isBusy={making.isMaking || added.form.isSending}
            onSendNow={() => void making.make(true)}
          />
        </div>
      </form>
    </FlowPage>
  );
}

type ActsProps = {
  readonly at: number;
  readonly isReady: boolean;
  readonly isAdding: boolean;
  readonly isBusy: boolean;
  readonly onSendNow: () => void;
};

function Acts({ at, isReady, isAdding, isBusy, onSendNow }: ActsProps) {
  const onward = isAdding ? 'Add and continue' : 'Continue';
  return (
    <>
      <Button type="submit" variant="filled" disabled={!isReady} loading={isBusy}>
        {at === last ? 'Create subscription' : onward}
      </Button>
      {at === last && (
        <Button leftSection={<Icon name="send" />} disabled={isBusy} onClick={onSendNow}>
          Create and send now
        </Button>
      )}
    </>
  );
}

/** Creates the subscription. Archives the replaced one and starts the first run, if requested. */
function useMaking(choices: Choices, toArchive: Subscription | null) {
  const go = useGo();
  const create = useChange(createSubscription, { touches: ['queries'] });
  const archive = useChange(archiveSubscription);
  const test = useChange(testRunSubscription, { touches: ['notifications'] });

  const make = async (isSentNow: boolean) => {
    const made = await create.mutateAsync({ body: bodyOf(choices) }).catch(() => undefined);
    // The refusal is shown above the summary.
    if (!made) return;
    if (toArchive) await archive.mutateAsync({ params: { id: toArchive.id } }).catch(toastProblem);
    const link = { to: paths.subscription(made.id), label: 'See it' };
    toastDone(`The subscription to “${made.queryName}” was created.`, isSentNow ? link : undefined);
    const run = isSentNow
      ? await test.mutateAsync({ params: { id: made.id } }).catch((error: unknown) => {
          toastProblem(error);
          return undefined;
        })
      : undefined;
    go(run ? paths.notification(run.id) : paths.subscription(made.id), { replace: true, isSaved: true });
  };

  return {
    make,
    error: create.error,
    isMaking: create.isPending || archive.isPending || test.isPending,
  };
}
