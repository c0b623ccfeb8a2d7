import { Select, TagsInput } from '@mantine/core';
import { type AnomalyWatch, holidayCountries } from '@svc/contract';
import type { Errors } from '../../../lib/form.ts';

const names = new Intl.DisplayNames(['en'], { type: 'region' });
const countries = holidayCountries
  .map((value) => ({ value, label: names.of(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));

type Props = {
  readonly watch: AnomalyWatch;
  readonly errors: Errors;
  readonly onChange: (part: Partial<AnomalyWatch>) => void;
};

/** Holidays, which are not compared with ordinary days. */
export function HolidayFields({ watch, errors, onChange }: Props) {
  const dateError = Object.entries(errors).find(([name]) => name.startsWith('holidayDates'))?.[1];
  return (
    <>
      <Select
        label="Public holidays of"
        description="Fewer rows on a holiday are not an anomaly."
        placeholder="No country"
        data={countries}
        value={watch.holidayCountry}
        error={errors['holidayCountry']}
        searchable
        clearable
        onChange={(picked) =>
          onChange({ holidayCountry: holidayCountries.find((country) => country === picked) ?? null })
        }
      />
      <TagsInput
        label="Other holidays"
        description="Dates such as 2026-12-24, in the time zone of the schedule."
        value={watch.holidayDates}
        error={dateError}
        onChange={(holidayDates) => onChange({ holidayDates: holidayDates.toSorted() })}
      />
    </>
  );
}
