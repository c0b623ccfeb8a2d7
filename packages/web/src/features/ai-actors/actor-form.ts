import { type AiActor, AiActorChange, AiActorInput, aiActorDefaults } from '@svc/contract';
import { type Form, useForm } from '../../lib/form.ts';
import type { Named } from '../../ui/form/found-select.tsx';
import type { PickedRecipient } from '../../views/recipients/recipient-picker.tsx';

/** Values in the form. They have the names of the request, so that an error appears at its field. */
export type ActorValues = {
  name: string;
  instructions: string;
  additionalContext: string;
  projectId: Named | null;
  dataSourceId: number | null;
  thinkSchedule: string;
  timeZone: string;
  isThinkingAfterRuns: boolean;
  maxQueries: number;
  maxSubscriptionsPerQuery: number;
  maxActionsPerPlan: number;
  monthlyTokens: number;
  defaultRecipientIds: readonly PickedRecipient[];
  requiresApproval: boolean;
};

export type ActorForm = Form<ActorValues>;

const empty: ActorValues = {
  name: '',
  instructions: '',
  additionalContext: '',
  projectId: null,
  dataSourceId: null,
  thinkSchedule: '',
  timeZone: '',
  isThinkingAfterRuns: false,
  ...aiActorDefaults,
  defaultRecipientIds: [],
  requiresApproval: true,
};

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Converts form values to the request. The project and the data source belong to new actors only. */
const settingsOf = ({ projectId: _project, dataSourceId: _source, ...values }: ActorValues) => {
  const { timeZone, defaultRecipientIds, ...rest } = values;
  return {
    ...rest,
    additionalContext: orNull(values.additionalContext),
    thinkSchedule: orNull(values.thinkSchedule),
    ...(timeZone.trim() !== '' && { timeZone: timeZone.trim() }),
    defaultRecipientIds: defaultRecipientIds.map(({ id }) => id),
  };
};

/** Returns the form of a new actor. */
export const useNewActorForm = (send: (body: AiActorInput) => Promise<unknown>): ActorForm =>
  useForm<typeof AiActorInput, ActorValues>({
    schema: AiActorInput,
    initial: empty,
    toBody: (values) => ({
      ...settingsOf(values),
      ...(values.projectId && { projectId: values.projectId.id }),
      ...(values.dataSourceId !== null && { dataSourceId: values.dataSourceId }),
    }),
    send,
  });

/** Returns the form of an existing actor. */
export const useActorForm = (
  actor: AiActor,
  recipients: readonly PickedRecipient[],
  send: (body: AiActorChange) => Promise<unknown>,
): ActorForm =>
  useForm<typeof AiActorChange, ActorValues>({
    schema: AiActorChange,
    version: actor.version,
    initial: {
      name: actor.name,
      instructions: actor.instructions,
      additionalContext: actor.additionalContext ?? '',
      projectId: { id: actor.projectId, name: actor.projectName },
      dataSourceId: actor.dataSourceId,
      thinkSchedule: actor.thinkSchedule ?? '',
      timeZone: actor.timeZone,
      isThinkingAfterRuns: actor.isThinkingAfterRuns,
      maxQueries: actor.maxQueries,
      maxSubscriptionsPerQuery: actor.maxSubscriptionsPerQuery,
      maxActionsPerPlan: actor.maxActionsPerPlan,
      monthlyTokens: actor.monthlyTokens,
      defaultRecipientIds: recipients,
      requiresApproval: actor.requiresApproval,
    },
    toBody: settingsOf,
    send,
  });
