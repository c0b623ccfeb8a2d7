import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, nullable, Time, wordOf } from '../shapes.ts';

export const alertStates = ['Ok', 'Pending', 'Firing', 'Recovering'] as const;
export type AlertState = (typeof alertStates)[number];
/** Messages about an alert. */
export const alertNews = ['Opened', 'StillFiring', 'Recovered'] as const;
export type AlertNews = (typeof alertNews)[number];

const runs = (description: string) => Type.Integer({ minimum: 1, maximum: 10, description });

const rule = {
  pendingRuns: runs('Runs in a row with rows until it is told.'),
  recoverRuns: runs('Runs in a row without rows until it is over.'),
  remindMinutes: nullable(
    Type.Integer({
      minimum: 15,
      maximum: 43_200,
      description: 'Told again while the rows stay, this long after it was last told; null: never.',
    }),
  ),
  tellsRecovery: Type.Boolean({ description: 'That the rows are gone is told too.' }),
};

/** Notification rules of a subscription with the trigger `WhileRows`. */
export const AlertRule = Type.Object(rule, { $id: 'AlertRule' });
export type AlertRule = Static<typeof AlertRule>;

/** Defaults of omitted members. */
export const alertDefaults: AlertRule = {
  ...{ pendingRuns: 1, recoverRuns: 1, remindMinutes: null, tellsRecovery: true },
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
    userName: nullable(Type.String(), { description: 'Null: the caller was no user.' }),
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
      description: 'When it was last told that there are rows; null: it is not told.',
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
  summary: 'Has a subscription forget its alert: the next rows are told as new',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/alert-reset',
  params: IdParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});

export const AcknowledgeAlertBody = Type.Object({
  note: Type.Optional(
    nullable(Type.String({ maxLength: 500, description: 'What the user does about it, for the team.' })),
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
