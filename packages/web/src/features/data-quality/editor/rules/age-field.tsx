import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';

const units = [
  { value: '1', label: 'minutes' },
  { value: '60', label: 'hours' },
  { value: '1440', label: 'days' },
] as const;

/** Returns the largest unit that expresses the age as a whole number. */
const unitOf = (minutes: number | null): string =>
  units.findLast(({ value }) => minutes !== null && minutes > 0 && minutes % Number(value) === 0)?.value ??
  '60';

type Props = {
  readonly label: string;
  readonly value: number | null;
  readonly error: string | undefined;
  readonly onChange: (minutes: number | null) => void;
};

/** Field for a maximum age: a number and its unit. */
export function AgeField({ label, value, error, onChange }: Props) {
  const [unit, setUnit] = useState(() => unitOf(value));
  const amount = value === null || value === 0 ? '' : value / Number(unit);
  const set = (next: number | null, factor: string) =>
    onChange(next === null ? null : Math.round(next * Number(factor)));
  return (
    <div className="row" style={{ alignItems: 'flex-start', gap: 4 }}>
      <NumberInput
        label={label}
        min={0}
        clampBehavior="none"
        allowNegative={false}
        decimalScale={2}
        value={amount}
        error={error}
        onChange={(next) => set(next === '' ? null : Number(next), unit)}
        w={136}
      />
      <Select
        aria-label={`Unit of: ${label}`}
        data={[...units]}
        value={unit}
        onChange={(next) => {
          if (next === null) return;
          setUnit(next);
          if (amount !== '') set(amount, next);
        }}
        mt={24}
        w={104}
      />
    </div>
  );
}
