import { anomalyDefaults } from '@svc/contract';
import { detect, type Point } from '../../packages/server/src/domains/anomalies/index.ts';
import { randomOf } from './families.ts';
import { detectAsBefore } from './previous/detect.ts';
import type { SeasonalFamily } from './seasonal-families.ts';

export type Run = { readonly dueAt: Date; readonly count: number };
/** Evaluates a run by the runs before it and their flags. */
export type Detector = (
  run: Run,
  history: readonly Point[],
) => Required<Pick<Point, 'flagged' | 'lower' | 'upper'>>;

const nothing = { flagged: null, lower: null, upper: null } as const;
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;
const outside = (count: number, low: number, high: number): ReturnType<Detector> => ({
  ...nothing,
  flagged: count < low ? 'Down' : count > high ? 'Up' : null,
});

export const detectors = {
  svc: (run, history) =>
    detect(run, { watch: anomalyDefaults, timeZone: 'UTC', history, holidays: new Set() }) ?? nothing,
  'first detector': (run, history) => {
    const watch = { ...anomalyDefaults, lookbackDays: 60 };
    const from = run.dueAt.getTime() - watch.lookbackDays * dayMs;
    const recent = history.filter(({ dueAt }) => dueAt.getTime() >= from);
    return { ...nothing, flagged: detectAsBefore(run, { watch, timeZone: 'UTC', history: recent }) };
  },
  'quartiles × 3': ({ count }, history) => {
    if (history.length < anomalyDefaults.minimumDataPoints) return nothing;
    const sorted = history.map((point) => point.count).sort((a, b) => a - b);
    const [q1, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
    return outside(count, q1 - 3 * (q3 - q1), q3 + 3 * (q3 - q1));
  },
  'hour of week, 3 deviations': ({ dueAt, count }, history) => {
    const hourOf = (at: Date): number => at.getUTCDay() * 24 + at.getUTCHours();
    const same = history.filter((point) => hourOf(point.dueAt) === hourOf(dueAt)).map((point) => point.count);
    if (same.length < 3) return nothing;
    const mean = same.reduce((sum, value) => sum + value, 0) / same.length;
    const squares = same.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const deviation = Math.sqrt(squares / (same.length - 1));
    return outside(count, mean - 3 * deviation, mean + 3 * deviation);
  },
} as const satisfies Readonly<Record<string, Detector>>;

const dayMs = 86_400_000;
/** A Monday. */
const start = Date.UTC(2029, 0, 1, 8);

/** Events that multiply the counts of some runs. */
const events = [
  { times: 0, runs: 1 },
  { times: 3, runs: 1 },
  { times: 2, runs: 3 },
] as const;
/** Days before the first event, and minimum days between events. */
const learningDays = 40;
const eventEveryDays = 20;
/** Minimum count for an event, so that the event changes it. */
const eventCountMin = 10;
/** Flagged runs within a day are one incident. */
const incidentGapMs = dayMs;

export type Replayed = {
  readonly falseIncidents: number;
  readonly eventCount: number;
  readonly found: number;
};

type ReplayedEvent = { readonly times: number; left: number; isFound: boolean };

/** Counts flagged events, and flagged incidents without an event. */
function createScore() {
  const totals = { falseIncidents: 0, eventCount: 0, found: 0 };
  let eventEnd = Number.NEGATIVE_INFINITY;
  let lastFalse = Number.NEGATIVE_INFINITY;
  return {
    totals,
    add: (at: number, isFlagged: boolean, event: ReplayedEvent | undefined): void => {
      if (event) {
        eventEnd = at;
        if (!isFlagged || event.isFound) return;
        event.isFound = true;
        totals.found += 1;
        return;
      }
      if (!isFlagged || at - eventEnd <= 2 * dayMs) return;
      if (at - lastFalse > incidentGapMs) totals.falseIncidents += 1;
      lastFalse = at;
    },
  };
}

/** Replays runs with events. As in the service, each run is compared with the runs before it. */
export function replay(family: SeasonalFamily, days: number, seed: number, detector: Detector): Replayed {
  const countOf = family.counts(randomOf(seed));
  const random = randomOf(seed + 1);
  const history: Point[] = [];
  let oldest = 0;
  let nextEventDay = learningDays + Math.floor(random() * eventEveryDays);
  let event: ReplayedEvent | undefined;
  const score = createScore();
  for (let run = 0; run < days * family.runsADay; run += 1) {
    const dueAt = new Date(start + (run * dayMs) / family.runsADay);
    const day = Math.floor((dueAt.getTime() - start) / dayMs);
    const ordinary = countOf({ at: dueAt, day });
    if (ordinary === null) continue;
    if (!event && day >= nextEventDay && ordinary >= eventCountMin) {
      const { times, runs } = events[Math.floor(random() * events.length)] ?? events[0];
      event = { times, left: runs, isFound: false };
      score.totals.eventCount += 1;
      nextEventDay = day + eventEveryDays + Math.floor(random() * eventEveryDays);
    }
    const count = Math.round(ordinary * (event?.times ?? 1));
    const from = dueAt.getTime() - anomalyDefaults.lookbackDays * dayMs;
    while ((history[oldest]?.dueAt.getTime() ?? from) < from) oldest += 1;
    const verdict = detector({ dueAt, count }, history.slice(oldest));
    history.push({ dueAt, count, isExpected: false, ...pick(verdict) });
    score.add(dueAt.getTime(), verdict.flagged !== null, event);
    if (event) event.left -= 1;
    if (event?.left === 0) event = undefined;
  }
  return score.totals;
}

const pick = ({ flagged, lower, upper }: ReturnType<Detector>) => ({ flagged, lower, upper });
