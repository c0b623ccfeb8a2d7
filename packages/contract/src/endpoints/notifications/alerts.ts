import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, nullable, Time, wordOf } from '../../shapes.ts';

export const alertStates = ['Ok', 'Pending', 'Firing', 'Recovering'] as const;
export type AlertState = (typeof alertStates)[number];
/** Messages about an alert. */
export const alertNews = ['Opened', 'StillFiring', 'Recovered'] as const;
export type AlertNews = (typeof alertNews)[number];

const runs = (description: string) => Type.Integer({ minimum: 1, maximum: 10, description });

const rule = {
  pendingRuns: runs('Consecutive runs with rows until the alert fires and recipients are notified.'),
  recoverRuns: runs('Consecutive runs without rows until the alert ends.'),
  remindMinutes: nullable(
    Type.Integer({
      minimum: 15,
      maximum: 43_200,
      description:
        'Minutes after the last message until a reminder is sent, while rows remain. Null: no reminders.',
    }),
  ),
  tellsRecovery: Type.Boolean({ description: 'Recipients are also notified when the rows are gone.' }),
};

/** Notification rules of a subscription with the trigger `WhileRows`. */
export const AlertRule = Type.Object(rule, { $id: 'AlertRule' });
export type AlertRule = Static<typeof AlertRule>;

/** Defaults of omitted members. */
export const alertDefaults: AlertRule = {
  pendingRuns: 1,
  recoverRuns: 1,
  remindMinutes: null,
  tellsRecovery: true,
};

/** Alert rule of a request body. An omitted member gets its default. */
export const AlertRuleInput = Type.Object(
  Object.fromEntries(Object.entries(rule).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof typeof rule]: ReturnType<typeof Type.Optional<(typeof rule)[K]>>;
  },
);
export type AlertRuleInput = Static<typeof AlertRuleInput>;

export const Acknowledgement = Type.Object(
  {
    at: Time,
    userId: nullable(Id),
    userName: nullable(Type.String(), {
      description: 'User who acknowledged the alert. Null: the caller was not a user.',
    }),
    note: nullable(Type.String()),
  },
  { $id: 'Acknowledgement' },
);
export type Acknowledgement = Static<typeof Acknowledgement>;

export const Alert = Type.Object(
  {
    state: wordOf(alertStates),
    since: Time,
    toldAt: nullable(Time, {
      description: 'Time of the last message that rows exist. Null: no message was sent.',
    }),
    acknowledgement: nullable(Acknowledgement, {
      description:
        'Acknowledgement of the alert. Reminders stop until it clears. Null: no user acknowledged it.',
    }),
  },
  { $id: 'Alert' },
);
export type Alert = Static<typeof Alert>;

export const resetAlert = defineEndpoint({
  operationId: 'resetAlert',
  tag: 'subscriptions',
  summary: 'Resets the alert of a subscription: the next rows are reported as a new alert',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/alert-reset',
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});

export const AcknowledgeAlertBody = Type.Object({
  note: Type.Optional(
    nullable(
      Type.String({
        maxLength: 500,
        description: 'Planned action of the user, as information for the team.',
      }),
    ),
  ),
});
export type AcknowledgeAlertBody = Static<typeof AcknowledgeAlertBody>;

const acknowledgement = {
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
} as const;
const refusals = { 409: 'The alert is not firing.' };
const ofSubscription = {
  tag: 'subscriptions',
  path: '/svc/api/subscriptions/{id}/alert-acknowledgement',
} as const;
const ofContract = {
  tag: 'data quality',
  path: '/svc/api/data-quality/contracts/{id}/alert-acknowledgement',
} as const;

export const acknowledgeAlert = defineEndpoint({
  operationId: 'acknowledgeAlert',
  summary: 'Acknowledges the firing alert of a subscription: reminders stop until it clears',
  method: 'POST',
  body: AcknowledgeAlertBody,
  refusals,
  ...ofSubscription,
  ...acknowledgement,
});

export const withdrawAcknowledgement = defineEndpoint({
  operationId: 'withdrawAcknowledgement',
  summary: 'Withdraws the acknowledgement of the alert of a subscription: reminders continue',
  method: 'DELETE',
  ...ofSubscription,
  ...acknowledgement,
});

export const acknowledgeContractAlert = defineEndpoint({
  operationId: 'acknowledgeContractAlert',
  summary: 'Acknowledges the firing alert of a data contract: reminders stop until it clears',
  method: 'POST',
  body: AcknowledgeAlertBody,
  refusals,
  ...ofContract,
  ...acknowledgement,
});

export const withdrawContractAcknowledgement = defineEndpoint({
  operationId: 'withdrawContractAcknowledgement',
  summary: 'Withdraws the acknowledgement of the alert of a data contract: reminders continue',
  method: 'DELETE',
  ...ofContract,
  ...acknowledgement,
});
