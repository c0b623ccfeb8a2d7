import type { ByName, Overview, SampleList, Series } from '../../../src/api/overview.ts';
import type { Json } from '../lib/api.ts';
import { clockTime, clockTimeSeconds, dayTime } from '../lib/format.ts';
import { stateWord } from '../lib/states.ts';
import type { ChartData } from '../parts/chart-data.ts';

type Sample = Json<SampleList>['items'][number];

const queuesDrawn = 5;
const hourMs = 3_600_000;
/** Steps that are drawn at least. */
const fewest = 4;
/** How far from a step its sample may be, in steps. */
const reach = 0.75;

/** The present numbers as the newest sample. */
const present = ({ at, states, queues }: Json<Overview>): Sample => ({
  at,
  states: Object.fromEntries(states.map(({ state, count }) => [state, count])) as Sample['states'],
  waiting: Object.fromEntries(queues.map(({ name, waiting }) => [name, waiting])),
});

/**
 * The last hour in even steps, the newest of them as it is now, from the first on at which somebody looked. Where nobody
 * did later there is a gap: nothing that was is made up.
 */
export function lastHour(
  kept: Json<SampleList> | undefined,
  now: Json<Overview>,
): readonly { readonly at: string; readonly sample: Sample | undefined }[] {
  const everyMs = kept?.everyMs ?? 30_000;
  const nowMs = new Date(now.at).getTime();
  const samples = (kept?.items ?? []).map((sample) => ({ sample, ms: new Date(sample.at).getTime() }));
  const oldestMs = samples[0]?.ms ?? nowMs;
  const known = Math.min(Math.ceil((nowMs - oldestMs) / everyMs), Math.floor(hourMs / everyMs));
  const count = Math.max(known, fewest);
  // A sample is taken a little late at times: it stands for the step that it is next to.
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

/** Waiting jobs of the queues in which most waited in the last hour. */
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
      // A queue in which none waits is left out of a sample.
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

/** How long attempts took, step by step; a step in which none ended is a gap. */
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

/** What ended, by the name of the job. */
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

/** How long attempts took, by the name of the job. */
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
