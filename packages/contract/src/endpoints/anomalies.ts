import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { holidayCountries } from '../holiday-countries.ts';
import { FiniteNumber, Id, IdParams, nullable, Time, wordOf } from '../shapes.ts';

export const anomalyMethods = ['Robust', 'Percentage'] as const;
export type AnomalyMethod = (typeof anomalyMethods)[number];
export const anomalySensitivities = ['Low', 'Medium', 'High'] as const;
export type AnomalySensitivity = (typeof anomalySensitivities)[number];
export const anomalyDirections = ['Both', 'Up', 'Down'] as const;
export type AnomalyDirections = (typeof anomalyDirections)[number];
export const anomalySeverities = ['Low', 'Medium', 'High', 'Critical'] as const;
export type AnomalySeverity = (typeof anomalySeverities)[number];
export const anomalyVerdicts = ['Expected', 'Real'] as const;
export type AnomalyVerdict = (typeof anomalyVerdicts)[number];

const watch = {
  method: wordOf(anomalyMethods, {
    description:
      '`Robust` learns level, trend, hours, weekdays and days of the month, and how much the counts scatter; `Percentage` allows a share of their middle.',
  }),
  percent: Type.Number({
    minimum: 1,
    maximum: 1_000,
    description: 'Of the middle of the counts, for `Percentage`.',
  }),
  sensitivity: wordOf(anomalySensitivities, {
    description: 'For `Robust`: 5, 4 or 3 deviations from what is expected are let pass.',
  }),
  lookbackDays: Type.Integer({ minimum: 7, maximum: 365, description: 'Days of history that count.' }),
  minimumDataPoints: Type.Integer({ minimum: 7, maximum: 100, description: 'Fewer runs say nothing yet.' }),
  directions: wordOf(anomalyDirections, { description: 'Which way is told.' }),
  floor: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Nothing is told where the count and what was expected are both below.',
  }),
  holidayCountry: nullable(
    wordOf(holidayCountries, {
      description:
        'ISO 3166-1 code of the country whose public holidays are not compared with ordinary days.',
    }),
  ),
  holidayDates: Type.Array(Type.String({ format: 'date' }), {
    maxItems: 400,
    uniqueItems: true,
    description: 'Further holidays, as dates of the time zone of the schedule, e.g. `2026-12-24`.',
  }),
};

/** Settings that watch the row counts of a subscription. */
export const AnomalyWatch = Type.Object(watch, { $id: 'AnomalyWatch' });
export type AnomalyWatch = Static<typeof AnomalyWatch>;

/** Defaults of omitted members. */
export const anomalyDefaults: AnomalyWatch = {
  ...{ method: 'Robust', percent: 40, sensitivity: 'Medium', lookbackDays: 180, minimumDataPoints: 14 },
  ...{ directions: 'Both', floor: 0, holidayCountry: null, holidayDates: [] },
};

/** Anomaly settings of a request body. An omitted member gets its default. */
export const AnomalyWatchInput = Type.Object(
  Object.fromEntries(Object.entries(watch).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof typeof watch]: ReturnType<typeof Type.Optional<(typeof watch)[K]>>;
  },
);
export type AnomalyWatchInput = Static<typeof AnomalyWatchInput>;

export const AnomalyPoint = Type.Object({
  notificationId: Id,
  dueAt: Time,
  resultCount: Type.Integer({ minimum: 0 }),
  lower: nullable(FiniteNumber),
  upper: nullable(FiniteNumber),
  severity: nullable(wordOf(anomalySeverities, { description: 'Of what was unusual; null: it was not.' })),
  explanation: nullable(Type.String()),
  verdict: nullable(wordOf(anomalyVerdicts, { description: 'What a person said of it.' })),
});
export type AnomalyPoint = Static<typeof AnomalyPoint>;

export const AnomalyChart = Type.Object(
  {
    points: Type.Array(AnomalyPoint, {
      description: 'Runs that the caller sees, oldest first; at most 2,000.',
    }),
    isCut: Type.Boolean({ description: 'There are more: the newest are here.' }),
    model: nullable(AnomalyWatch, { description: 'How counts are watched; null: they are not.' }),
    pointCount: Type.Integer({ description: 'Runs that what is expected is learnt from now.' }),
    pointsNeeded: Type.Integer({ description: 'Runs that it takes.' }),
  },
  { $id: 'AnomalyChart' },
);
export type AnomalyChart = Static<typeof AnomalyChart>;

const tag = 'subscriptions';

export const getAnomalyChart = defineEndpoint({
  operationId: 'getAnomalyChart',
  tag,
  summary: 'Row counts of a subscription, with what was expected and what was unusual',
  method: 'GET',
  path: '/svc/api/subscriptions/{id}/anomaly-chart',
  params: IdParams,
  query: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Default 30.' })),
  }),
  responses: { 200: AnomalyChart },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const setAnomalyVerdict = defineEndpoint({
  operationId: 'setAnomalyVerdict',
  tag,
  summary: 'Says whether what was unusual was to be expected: then it counts as history',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/anomalies/{notificationId}/verdict',
  params: Type.Object({ id: Id, notificationId: Id }),
  body: Type.Object({ verdict: nullable(wordOf(anomalyVerdicts)) }),
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});
