import type { RowRoute, Subscription } from '@svc/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { query as queryRead } from '../../../requests/queries.ts';
import { schedulePreview } from '../../../requests/schedules.ts';
import { useFocusOnQuestion } from '../../../ui/frame/flow-steps.tsx';
import { expressionOf } from '../../../views/schedule/cron.ts';
import { areSettingsSound, type Choices, choicesOf, firstChoices } from './choices.ts';
import { useNewRecipient } from './new-recipient.ts';

export const steps = ['Query', 'Schedule', 'Recipients', 'Message', 'Summary'] as const;
const positions = { query: 0, schedule: 1, recipients: 2, message: 3, summary: 4 } as const;

/** Subscription that the new one replaces, with the routes of its rows. */
export type Replaced = { readonly record: Subscription; readonly routes: readonly RowRoute[] };

export type Wizard = ReturnType<typeof useWizard>;

/** State of the wizard: the present step and the choices of all steps. */
export function useWizard(queryId: number | null, replaces: Replaced | null) {
  const [at, setAt] = useState<number>(queryId === null && !replaces ? positions.query : positions.schedule);
  const [start] = useState<Choices>(() =>
    replaces ? choicesOf(replaces.record, replaces.routes) : firstChoices(queryId),
  );
  const [choices, setChoices] = useState(start);
  const client = useQueryClient();
  const newRecipient = useNewRecipient();
  const query = useQuery({ ...queryRead(choices.queryId ?? 0), enabled: choices.queryId !== null });
  const change = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  useFocusOnQuestion(at);

  const hasRecipient = choices.recipients.length > 0 || newRecipient.isFilled || choices.createTasks;
  const isReady = [choices.queryId !== null, true, hasRecipient, areSettingsSound(choices), true];
  const isScheduleValid = () =>
    client.ensureQueryData(schedulePreview(expressionOf(choices.plan), choices.timeZone)).then(
      () => true,
      () => false,
    );
  /** Finishes the present step. Returns false after a refusal, which the fields show. */
  const finishStep = async (): Promise<boolean> => {
    // The service validates the schedule in this step, so that its error appears at the field.
    if (at === positions.schedule) return isScheduleValid();
    if (at !== positions.recipients || !newRecipient.isFilled) return true;
    const recipient = await newRecipient.save();
    if (recipient === undefined) return false;
    change({ recipients: [...choices.recipients, recipient] });
    return true;
  };
  return {
    at,
    goTo: setAt,
    /** Name of the present step. */
    step: steps[at],
    isReady: isReady[at] ?? false,
    isAddingRecipient: at === positions.recipients && newRecipient.isFilled,
    isDirty: newRecipient.isFilled || JSON.stringify(choices) !== JSON.stringify(start),
    choices,
    change,
    newRecipient,
    query,
    finishStep,
  };
}
