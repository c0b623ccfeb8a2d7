import { NumberInput } from '@mantine/core';

type Props = {
  readonly label: string;
  readonly error: string | undefined;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
};

/** Field for a number of at least 1, or no number. */
export function WholeNumber({ label, error, value, onChange }: Props) {
  return (
    <NumberInput
      label={label}
      min={1}
      clampBehavior="none"
      error={error}
      allowDecimal={false}
      allowNegative={false}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : Number(next))}
      w={272}
    />
  );
}
