import { NumberInput } from '@mantine/core';

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly value: number | null;
  readonly error: string | undefined;
  readonly isWhole?: boolean;
  readonly max?: number;
  readonly suffix?: string;
  readonly onChange: (value: number | null) => void;
};

/** Field for a number of at least 0, or no number. */
export const CountField = ({ value, isWhole = true, onChange, ...field }: Props) => (
  <NumberInput
    {...field}
    min={0}
    clampBehavior="none"
    allowDecimal={!isWhole}
    allowNegative={false}
    thousandSeparator=","
    value={value ?? ''}
    onChange={(next) => onChange(next === '' ? null : Number(next))}
    w={160}
  />
);
