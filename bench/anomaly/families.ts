/** Returns a generator of random numbers for a seed (mulberry32). The sequence is the same on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Returns a count of independent events. */
export function poisson(mean: number, random: () => number): number {
  if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const end = Math.exp(-mean);
  let count = -1;
  for (let product = 1; product > end; product *= random()) count += 1;
  return Math.max(count, 0);
}

/** Days since the first run, and hour of the day. */
export type RunTime = { readonly day: number; readonly hour: number };

/** A kind of subscription with a model of its counts. */
export type Family = {
  readonly name: string;
  /** True for one level above 20. Only these families are tested for false alarms. */
  readonly isSteady: boolean;
  readonly runsADay: 1 | 24;
  readonly count: (time: RunTime, random: () => number) => number;
};

const daily = { runsADay: 1 } as const;
const isWeekend = (day: number): boolean => day % 7 >= 5;

export const families: readonly Family[] = [
  { name: 'level 25', isSteady: true, ...daily, count: (_time, random) => poisson(25, random) },
  { name: 'level 100', isSteady: true, ...daily, count: (_time, random) => poisson(100, random) },
  { name: 'level 1,000', isSteady: true, ...daily, count: (_time, random) => poisson(1_000, random) },
  {
    name: 'level 60 in clusters',
    isSteady: true,
    ...daily,
    count: (_time, random) => poisson(60 * Math.max(0.1, 1 + 0.3 * normal(random)), random),
  },
  {
    name: 'nearly always 500',
    isSteady: true,
    ...daily,
    count: (_time, random) => 500 + (random() < 0.1 ? Math.round(3 * normal(random)) : 0),
  },
  { name: 'level 6', isSteady: false, ...daily, count: (_time, random) => poisson(6, random) },
  {
    name: 'workdays 200, weekends 20',
    isSteady: false,
    ...daily,
    count: ({ day }, random) => poisson(isWeekend(day) ? 20 : 200, random),
  },
  {
    name: 'days 200, nights 30',
    isSteady: false,
    runsADay: 24,
    count: ({ hour }, random) => poisson(hour >= 7 && hour < 19 ? 200 : 30, random),
  },
  {
    name: 'from 50 up by 2 a day',
    isSteady: false,
    ...daily,
    count: ({ day }, random) => poisson(50 + 2 * day, random),
  },
  {
    name: 'up by 1 % a day, less on weekends',
    isSteady: false,
    ...daily,
    count: ({ day }, random) => poisson(100 * 1.01 ** day * (isWeekend(day) ? 0.3 : 1), random),
  },
];
