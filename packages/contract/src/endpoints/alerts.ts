import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { IdParams, nullable, Time, wordOf } from '../shapes.ts';

export const alertStates = ['Ok', 'Pending', 'Firing', 'Recovering'] as const;
export type AlertState = (typeof alertStates)[number];
/** What is told of an alert. */
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

/** How a subscription with the trigger `WhileRows` tells. */
export const AlertRule = Type.Object(rule, { $id: 'AlertRule' });
export type AlertRule = Static<typeof AlertRule>;

/** The values of what is left out. */
export const alertDefaults: AlertRule = {
  ...{ pendingRuns: 1, recoverRuns: 1, remindMinutes: null, tellsRecovery: true },
};

/** The same as a body gives it: what is left out takes its default. */
export const AlertRuleInput = Type.Object(
  Object.fromEntries(Object.entries(rule).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof typeof rule]: ReturnType<typeof Type.Optional<(typeof rule)[K]>>;
  },
);
export type AlertRuleInput = Static<typeof AlertRuleInput>;

export const Alert = Type.Object(
  {
    state: wordOf(alertStates),
    since: Time,
    toldAt: nullable(Time, {
      description: 'When it was last told that there are rows; null: it is not told.',
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
