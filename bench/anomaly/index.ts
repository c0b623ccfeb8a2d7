import { anomalyDefaults } from '@svc/contract';
import { detect, type Point } from '../../packages/server/src/domains/anomalies/index.ts';
import type { Bench } from '../run/bench.ts';
import type { Figure } from '../run/result.ts';
import { type Family, families, randomOf } from './families.ts';
import { detectors, replay } from './replay.ts';
import { seasonalFamilies } from './seasonal-families.ts';

/** Seeds that did not serve to choose a rule or a constant. */
const seeds = Array.from({ length: 200 }, (_, at) => 910_000 + at * 7_919);
const steadyPoints = 30;
const eventDays = 60;
/** Maximum number of runs until a rule must detect a new level. */
const shiftRuns = 3;
const falseAlarmsMax = 0.01;

/** Returns true when a rule flags a count, given the counts before it. */
type Rule = (run: { readonly dueAt: Date; readonly count: number }, history: readonly Point[]) => boolean;

const rules: Readonly<Record<string, Rule>> = {
  robust: (run, history) =>
    (detect(run, { watch: anomalyDefaults, timeZone: 'UTC', history })?.flagged ?? null) !== null,
  /** Flags counts more than 1.5 interquartile ranges outside the quartiles (Tukey). */
  interquartile: ({ count }, history) => {
    const sorted = history.map((point) => point.count).sort((a, b) => a - b);
    const [q1 = 0, q3 = 0] = [0.25, 0.75].map((share) => sorted[Math.floor(sorted.length * share)]);
    const fence = 1.5 * (q3 - q1);
    return count < q1 - fence || count > q3 + fence;
  },
};

/** A Monday. */
const start = Date.UTC(2031, 0, 6, 8);
const dayMs = 86_400_000;

/** Returns the counts of a family, in the order of the runs. */
function history(family: Family, days: number, random: () => number): Point[] {
  return Array.from({ length: days * family.runsADay }, (_, at) => pointAt(family, at, random));
}

function pointAt(family: Family, at: number, random: () => number): Point {
  const dueAt = new Date(start + (at * dayMs) / family.runsADay);
  const time = { day: Math.floor(at / family.runsADay), hour: dueAt.getUTCHours() };
  return { dueAt, count: family.count(time, random), flagged: null, isExpected: false };
}

/** Returns the share of ordinary next counts that a rule flags. */
const falseAlarms = (family: Family, rule: Rule): number =>
  share(
    seeds.map((seed) => {
      const points = history(family, steadyPoints, randomOf(seed));
      const next = points.pop();
      const before = [pointAt(family, -1, randomOf(seed + 1)), ...points];
      return next !== undefined && rule(next, before);
    }),
  );

const share = (each: readonly boolean[]): number => each.filter(Boolean).length / each.length;

/** Returns the share of detections for each of three events. */
function eventsFound(family: Family, rule: Rule): number[] {
  const days = family.runsADay === 1 ? eventDays : 14;
  const over = (detects: (points: Point[], next: (more: number) => Point) => boolean): number =>
    share(
      seeds.map((seed) => {
        const random = randomOf(seed);
        const points = history(family, days, random);
        return detects(points, (more) => pointAt(family, points.length + more, random));
      }),
    );
  return [
    over((points, next) => rule({ ...next(0), count: 0 }, points)),
    over((points, next) => {
      const one = next(0);
      return rule({ ...one, count: one.count * 3 }, points);
    }),
    over((points, next) => {
      let before = points;
      for (let at = 0; at < shiftRuns; at += 1) {
        const one = next(at);
        const shifted = { ...one, count: one.count * 2 };
        if (rule(shifted, before)) return true;
        before = [...before, shifted];
      }
      return false;
    }),
  ];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const replayDays = { 1: 365, 24: 90 } as const;
const replaySeeds = [1_000, 1_077];
const falseIncidentsMax = 1;

/** Returns the monthly false incidents of the worst series and the share of detected events, for each rule. */
function replayed(): Figure[] {
  return Object.entries(detectors).flatMap(([name, detector]) => {
    const series = seasonalFamilies.flatMap((family) =>
      replaySeeds.map((seed) => {
        const days = replayDays[family.runsADay];
        const totals = replay(family, days, seed, detector);
        const aMonth = totals.falseIncidents / (days / 30);
        process.stdout.write(
          `${name.padEnd(26)} ${family.name.padEnd(34)} ${aMonth.toFixed(2)} a month, ${totals.found} of ${totals.eventCount}\n`,
        );
        return { ...totals, aMonth };
      }),
    );
    const sum = (of: (one: (typeof series)[number]) => number): number =>
      series.reduce((total, one) => total + of(one), 0);
    const worst = Math.max(...series.map(({ aMonth }) => aMonth));
    const target = name === 'svc' ? { valueMax: falseIncidentsMax } : null;
    return [
      figure(`${name}: false incidents a month, worst series`, worst, target, 'incidents'),
      figure(
        `${name}: events found in a year`,
        sum(({ found }) => found) / sum(({ eventCount }) => eventCount),
        null,
      ),
    ];
  });
}

/** Compares detection rules on kinds of counts that did not serve to develop them. */
export const bench: Bench = {
  purpose: `a year of ${seasonalFamilies.length} seasonal kinds with events, replayed with feedback; false alarms on steady counts at ${steadyPoints} points, and events found (drop to 0, threefold, a level twice as high), over ${families.length} kinds of counts and ${seeds.length} seeds each`,
  run: async () => [
    ...replayed(),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      const alarms = families.filter(({ isSteady }) => isSteady).map((family) => falseAlarms(family, rule));
      const detectedShares = families.map((family) => {
        const each = eventsFound(family, rule);
        const [drop, threefold, shift] = each.map((value) => `${(value * 100).toFixed(0)} %`);
        process.stdout.write(
          `${name.padEnd(14)} ${family.name.padEnd(34)} ${drop}, ${threefold}, ${shift}\n`,
        );
        return mean(each);
      });
      return [
        figure(
          `${name}: false alarms`,
          mean(alarms),
          name === 'robust' ? { valueMax: falseAlarmsMax } : null,
        ),
        figure(`${name}: events found`, mean(detectedShares), null),
      ];
    }),
  ],
};

function figure(title: string, value: number, target: Figure['target'], unit = 'share'): Figure {
  process.stdout.write(`${title.padEnd(50)} ${value.toFixed(4)} ${unit}\n`);
  return {
    title,
    unit,
    against: null,
    values: [value],
    floorValues: [],
    ratios: [],
    target,
    pairs: null,
  };
}
