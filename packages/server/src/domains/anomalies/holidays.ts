import type { AnomalyWatch, HolidayCountry } from '@svc/contract';

/** Dates of public holidays, by country and year. */
const datesOfYears = new Map<string, readonly string[]>();

/**
 * Returns the holidays of a subscription between two times, as dates: those of its country and its additional ones.
 *
 * The library and its data take about 40 MB. It is therefore loaded when a country is first used.
 */
export async function holidaysOf(
  { holidayCountry, holidayDates }: Pick<AnomalyWatch, 'holidayCountry' | 'holidayDates'>,
  from: Date,
  to: Date,
): Promise<ReadonlySet<string>> {
  const dates = new Set(holidayDates);
  if (holidayCountry === null) return dates;
  // A local date can be in the year before or after the UTC date.
  for (let year = from.getUTCFullYear() - 1; year <= to.getUTCFullYear() + 1; year += 1)
    for (const date of await publicHolidays(holidayCountry, year)) dates.add(date);
  return dates;
}

async function publicHolidays(country: HolidayCountry, year: number): Promise<readonly string[]> {
  const key = `${country} ${year}`;
  const cached = datesOfYears.get(key);
  if (cached) return cached;
  const { default: Holidays } = await import('date-holidays');
  const dates = new Holidays(country, { types: ['public'] })
    .getHolidays(year)
    .flatMap(({ date, start, end }) => daysOf(date, end.getTime() - start.getTime()));
  datesOfYears.set(key, dates);
  return dates;
}

const dayMs = 86_400_000;

/** Returns the dates of a holiday from its local start, e.g. `2026-12-25 00:00:00`, and its length. */
function daysOf(start: string, lengthMs: number): string[] {
  const first = Date.parse(`${start.slice(0, 10)}T00:00:00Z`);
  const days = Math.max(1, Math.round(lengthMs / dayMs));
  return Array.from({ length: days }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10));
}
