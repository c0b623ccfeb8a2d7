import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';

const hourMs = 3_600_000;
/** For how long, in hours; what people say when they put something off. */
const spans = [
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
] as const;

/** What is chosen at first. */
export const spanDefault = '24';

/** When a span that begins now ends. */
export const untilOf = (hours: string): string => new Date(Date.now() + Number(hours) * hourMs).toISOString();

type Props = {
  readonly value: string;
  readonly onChange: (hours: string) => void;
  readonly error: ReactNode;
};

/** For how long something is put off. */
export const SnoozeSpans = ({ value, onChange, error }: Props) => (
  <Radio.Group label="For how long?" value={value} onChange={onChange} error={error}>
    <div className="stack-tight">
      {spans.map((span) => (
        <Radio
          key={span.value}
          value={span.value}
          label={span.label}
          data-autofocus={span.value === spanDefault || undefined}
        />
      ))}
    </div>
  </Radio.Group>
);
