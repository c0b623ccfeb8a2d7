import type { ColumnKind } from '@svc/connectors';

const times: readonly ColumnKind[] = ['timestamp', 'timestamptz'];
const numbers: readonly ColumnKind[] = ['integer', 'decimal', 'float'];

/**
 * Destination kinds for each source kind. Such a column either stores a value unchanged or rejects its row; no value is
 * changed silently.
 */
const destinations: Readonly<Record<ColumnKind, readonly ColumnKind[]>> = {
  boolean: ['boolean', 'integer', 'text'],
  integer: [...numbers, 'boolean', 'text'],
  decimal: [...numbers, 'text'],
  float: ['float', 'decimal', 'text'],
  text: ['text', 'uuid', 'json', 'other'],
  uuid: ['uuid', 'text'],
  date: ['date', ...times, 'text'],
  time: ['time', 'text'],
  timestamp: [...times, 'text'],
  timestamptz: [...times, 'text'],
  interval: ['interval', 'text'],
  binary: ['binary'],
  json: ['json', 'text'],
  other: ['other', 'text'],
};

/** Returns true if values of one kind can be copied into columns of another. */
export const isConvertible = (from: ColumnKind, to: ColumnKind): boolean => destinations[from].includes(to);

/** Returns true if exactly one side has a time zone. The time without a zone is interpreted as UTC. */
export const changesZone = (from: ColumnKind, to: ColumnKind): boolean =>
  from !== to && times.includes(from) && times.includes(to);
