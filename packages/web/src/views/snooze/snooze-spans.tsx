import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { viewerZone } from '../../lib/format.ts';
import { nextMorning } from '../../lib/next-morning.ts';

const hourMs = 3_600_000;
const tomorrow = 'tomorrow';
/** Lengths of a snooze in hours, or the next morning. */
const spans = [
  { value: '0.5', label: '30 minutes' },
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: tomorrow, label: 'Until tomorrow, 9:00' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
] as const;

/** Default span. */
export const spanDefault = '24';

/**
 * Returns the end of a span that begins now.
 * @param zone  Time zone of "tomorrow, 9:00".
 */
export const untilOf = (span: string, zone: string = viewerZone): string => {
  const now = new Date();
  const end = span === tomorrow ? nextMorning(now, zone) : new Date(now.getTime() + Number(span) * hourMs);
  return end.toISOString();
};

type Props = {
  readonly value: string;
  readonly onChange: (span: string) => void;
  readonly error: ReactNode;
};

/** Radio buttons for the length of a snooze. */
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
