import type { ByName, Overview, SampleList, Series } from '../../../../src/api/overview.ts';
import { clockTime, clockTimeSeconds, dayTime } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { stateWord } from '../../lib/states.ts';
import type { ChartData } from '../../parts/chart-data.ts';

type Sample = Json<SampleList>['items'][number];

const queuesDrawn = 5;
const hourMs = 3_600_000;
/** Minimum number of drawn steps. */
const fewest = 4;
/** Maximum distance between a step and its sample, in steps. */
const reach = 0.75;

/** Returns the current counts as the newest sample. */
const present = ({ at, states, queues }: Json<Overview>): Sample => ({
  at,
  states: Object.fromEntries(states.map(({ state, count }) => [state, count])) as Sample['states'],
  waiting: Object.fromEntries(queues.map(({ name, waiting }) => [name, waiting])),
});

/**
 * Returns the last hour in equal steps, from the first sample on. The newest step has the current counts. A step
 * without a sample is a gap: values are never interpolated.
 */
export function lastHour(
  stored: Json<SampleList> | undefined,
  now: Json<Overview>,
): readonly { readonly at: string; readonly sample: Sample | undefined }[] {
  const everyMs = stored?.everyMs ?? 30_000;
  const nowMs = new Date(now.at).getTime();
  const samples = (stored?.items ?? []).map((sample) => ({ sample, ms: new Date(sample.at).getTime() }));
  const oldestMs = samples[0]?.ms ?? nowMs;
  const sampledSteps = Math.min(Math.ceil((nowMs - oldestMs) / everyMs), Math.floor(hourMs / everyMs));
  const count = Math.max(sampledSteps, fewest);
  // A sample may be taken slightly late. It belongs to the nearest step.
  const near = (ms: number) =>
    samples.reduce<(typeof samples)[number] | undefined>((best, each) => {
      const distance = Math.abs(each.ms - ms);
      if (distance > everyMs * reach) return best;
      return best === undefined || distance < Math.abs(best.ms - ms) ? each : best;
    }, undefined)?.sample;
  return Array.from({ length: count + 1 }, (_, index) => {
    const back = count - index;
    const ms = nowMs - back * everyMs;
    return { at: new Date(ms).toISOString(), sample: back === 0 ? present(now) : near(ms) };
  });
}

type Steps = ReturnType<typeof lastHour>;

const liveStates = [
  ['Enqueued', 'blue', 'solid'],
  ['Processing', 'green', 'dashed'],
  ['AwaitingRetry', 'amber', 'dotted'],
] as const;

export const stateChart = (steps: Steps): ChartData => ({
  label: 'Jobs by state, last hour',
  kind: 'line',
  steps: steps.map(({ at }) => clockTimeSeconds(at)),
  series: liveStates.map(([state, colour, line]) => ({
    name: stateWord[state],
    colour,
    line,
    values: steps.map(({ sample }) => sample?.states[state] ?? null),
  })),
});

const looks = [
  ['accent', 'solid'],
  ['blue', 'dashed'],
  ['green', 'dotted'],
  ['amber', 'solid'],
  ['red', 'dashed'],
] as const;

/** Returns the chart of waiting jobs for the queues with the highest counts of the last hour. */
export function queueChart(steps: Steps): ChartData {
  const most = new Map<string, number>();
  for (const { sample } of steps)
    for (const [name, waiting] of Object.entries(sample?.waiting ?? {}))
      most.set(name, Math.max(waiting, most.get(name) ?? 0));
  const names = [...most]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, queuesDrawn)
    .map(([name]) => name);
  return {
    label: 'Waiting jobs by queue, last hour',
    kind: 'line',
    steps: steps.map(({ at }) => clockTimeSeconds(at)),
    series: names.map((name, at) => ({
      name,
      colour: looks[at]?.[0] ?? 'accent',
      line: looks[at]?.[1] ?? 'solid',
      // A sample omits queues without waiting jobs.
      values: steps.map(({ sample }) => (sample ? (sample.waiting[name] ?? 0) : null)),
    })),
  };
}

const stepOf = ({ span }: Pick<Json<Series>, 'span'>) => (span === 'week' ? dayTime : clockTime);

export function endedChart(series: Json<Series>): ChartData {
  const values = (name: 'completed' | 'failed' | 'cancelled' | 'retried') =>
    series.points.map((point) => point[name]);
  return {
    label: 'Jobs that ended',
    kind: 'bar',
    steps: series.points.map(({ at }) => stepOf(series)(at)),
    series: [
      { name: 'Completed', colour: 'green', values: values('completed') },
      { name: 'Retried', colour: 'amber', values: values('retried') },
      { name: 'Failed', colour: 'red', values: values('failed') },
      { name: 'Cancelled', colour: 'line-strong', values: values('cancelled') },
    ],
  };
}

const wholeMs = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

/** Returns the chart of mean attempt durations per step. A step without ended attempts is a gap. */
export const durationChart = (series: Json<Series>): ChartData => ({
  label: 'Mean duration',
  kind: 'line',
  unit: 'ms',
  steps: series.points.map(({ at }) => stepOf(series)(at)),
  series: [
    {
      name: 'Mean duration, ms',
      colour: 'accent',
      values: series.points.map(({ avgDurationMs }) => wholeMs(avgDurationMs)),
    },
  ],
});

/** Returns the chart of ended jobs by job name. */
export const nameChart = ({ items }: Json<ByName>): ChartData => ({
  label: 'Ended by job',
  kind: 'bar',
  stepTitle: 'Job',
  steps: items.map(({ name }) => name),
  series: [
    { name: 'Completed', colour: 'green', values: items.map(({ completed }) => completed) },
    { name: 'Retried', colour: 'amber', values: items.map(({ retried }) => retried) },
    { name: 'Failed', colour: 'red', values: items.map(({ failed }) => failed) },
  ],
});

/** Returns the chart of mean attempt durations by job name. */
export const nameDurationChart = ({ items }: Json<ByName>): ChartData => ({
  label: 'Mean duration by job',
  kind: 'bar',
  stepTitle: 'Job',
  unit: 'ms',
  steps: items.map(({ name }) => name),
  series: [
    {
      name: 'Mean duration, ms',
      colour: 'accent',
      values: items.map(({ avgDurationMs }) => wholeMs(avgDurationMs)),
    },
  ],
});
