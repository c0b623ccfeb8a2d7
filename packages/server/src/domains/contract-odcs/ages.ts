const minutesOf: Readonly<Record<string, number>> = {
  min: 1,
  mins: 1,
  minute: 1,
  minutes: 1,
  h: 60,
  hr: 60,
  hour: 60,
  hours: 60,
  d: 1_440,
  day: 1_440,
  days: 1_440,
};

/**
 * Converts an age of the standard to minutes. Undefined for other units and values. `m` is refused because it may mean
 * months.
 */
export function ageInMinutes(value: unknown, unit: unknown): number | undefined {
  const factor = minutesOf[typeof unit === 'string' ? unit.toLowerCase() : ''];
  if (typeof value !== 'number' || factor === undefined) return undefined;
  const minutes = value * factor;
  return Number.isSafeInteger(minutes) && minutes > 0 ? minutes : undefined;
}

/** Converts minutes to the largest unit that represents them as an integer. */
export function ageOfMinutes(minutes: number): { value: number; unit: 'd' | 'h' | 'min' } {
  if (minutes % 1_440 === 0) return { value: minutes / 1_440, unit: 'd' };
  return minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' };
}
