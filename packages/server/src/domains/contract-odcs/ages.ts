const minutesOf: Readonly<Record<string, number>> = {
  ...{ min: 1, mins: 1, minute: 1, minutes: 1 },
  ...{ h: 60, hr: 60, hour: 60, hours: 60 },
  ...{ d: 1_440, day: 1_440, days: 1_440 },
};

/** An age of the standard in minutes; undefined where its unit or its value is another. `m` may be months. */
export function ageInMinutes(value: unknown, unit: unknown): number | undefined {
  const factor = minutesOf[typeof unit === 'string' ? unit.toLowerCase() : ''];
  if (typeof value !== 'number' || factor === undefined) return undefined;
  const minutes = value * factor;
  return Number.isSafeInteger(minutes) && minutes > 0 ? minutes : undefined;
}

/** The same in the largest unit that it is a whole number of. */
export function ageOfMinutes(minutes: number): { value: number; unit: 'd' | 'h' | 'min' } {
  if (minutes % 1_440 === 0) return { value: minutes / 1_440, unit: 'd' };
  return minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' };
}
