import { holidayCountries } from '@svc/contract';
import Holidays from 'date-holidays';
import { expect, test } from 'vitest';
import { holidaysOf } from './holidays.ts';

const between = [new Date('2026-06-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z')] as const;

test('the countries of the contract are the countries of the library', () => {
  expect([...holidayCountries]).toEqual(Object.keys(new Holidays().getCountries()).toSorted());
});

test('a country has its public holidays, and custom dates are added', async () => {
  const dates = await holidaysOf({ holidayCountry: 'DE', holidayDates: ['2026-12-24'] }, ...between);
  for (const date of ['2026-10-03', '2026-12-24', '2026-12-25', '2027-01-01'])
    expect([date, dates.has(date)]).toEqual([date, true]);
  expect(dates.has('2026-12-23')).toBe(false);
});

test('without a country, only custom dates are holidays', async () => {
  expect([...(await holidaysOf({ holidayCountry: null, holidayDates: ['2026-12-24'] }, ...between))]).toEqual(
    ['2026-12-24'],
  );
});
