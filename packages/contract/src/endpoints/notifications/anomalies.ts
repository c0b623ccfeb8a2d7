import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { holidayCountries } from '../../holiday-countries.ts';
import { FiniteNumber, Id, IdParams, nullable, Time, wordOf } from '../../shapes.ts';

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
      '`Robust` learns the level, the trend, daily, weekly and monthly patterns, and the variation of the counts. `Percentage` allows a percentage of deviation from the median.',
  }),
  percent: Type.Number({
    minimum: 1,
    maximum: 1_000,
    description: 'For `Percentage`: allowed deviation in percent of the median of the counts.',
  }),
  sensitivity: wordOf(anomalySensitivities, {
    description:
      'For `Robust`: the expected range allows at least 5 (`Low`), 4 (`Medium`) or 3 (`High`) deviations from the expected count.',
  }),
  lookbackDays: Type.Integer({
    minimum: 7,
    maximum: 365,
    description: 'Days of history from which the expected count is computed.',
  }),
  minimumDataPoints: Type.Integer({
    minimum: 7,
    maximum: 100,
    description: 'Runs that the history needs. With fewer runs, no count is reported as unusual.',
  }),
  directions: wordOf(anomalyDirections, { description: 'Direction of unusual counts that are reported.' }),
  floor: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'No anomaly is reported if both the count and the expected count are below this number.',
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
  method: 'Robust',
  percent: 40,
  sensitivity: 'Medium',
  lookbackDays: 180,
  minimumDataPoints: 14,
  directions: 'Both',
  floor: 0,
  holidayCountry: null,
  holidayDates: [],
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
  severity: nullable(
    wordOf(anomalySeverities, { description: 'Severity of the anomaly; null: the count was not unusual.' }),
  ),
  explanation: nullable(Type.String()),
  verdict: nullable(
    wordOf(anomalyVerdicts, { description: 'Verdict of a user; null: no user has given one.' }),
  ),
});
export type AnomalyPoint = Static<typeof AnomalyPoint>;

export const AnomalyChart = Type.Object(
  {
    points: Type.Array(AnomalyPoint, {
      description: 'Runs that the caller may see, oldest first; at most 2,000.',
    }),
    isCut: Type.Boolean({
      description: 'More runs exist than the response contains. It contains the newest.',
    }),
    model: nullable(AnomalyWatch, {
      description: 'Settings by which the counts are watched; null: they are not watched.',
    }),
    pointCount: Type.Integer({
      description: 'Runs in the history from which the expected count is computed now.',
    }),
    pointsNeeded: Type.Integer({ description: 'Runs that the history needs.' }),
  },
  { $id: 'AnomalyChart' },
);
export type AnomalyChart = Static<typeof AnomalyChart>;

const tag = 'subscriptions';

export const getAnomalyChart = defineEndpoint({
  operationId: 'getAnomalyChart',
  tag,
  summary: 'Row counts of a subscription, with the expected range and the anomalies',
  method: 'GET',
  path: '/svc/api/subscriptions/{id}/anomaly-chart',
  params: IdParams,
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'Days of history. Default 30.' }),
    ),
  }),
  responses: { 200: AnomalyChart },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const setAnomalyVerdict = defineEndpoint({
  operationId: 'setAnomalyVerdict',
  tag,
  summary:
    'Stores a verdict on an unusual count; `Expected` adds the count to the history, `Real` excludes it',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/anomalies/{notificationId}/verdict',
  params: Type.Object({ id: Id, notificationId: Id }),
  body: Type.Object({ verdict: nullable(wordOf(anomalyVerdicts)) }),
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
});
