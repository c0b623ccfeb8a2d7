import type { ColumnKind } from '@svc/connectors';

const times: readonly ColumnKind[] = ['timestamp', 'timestamptz'];
const numbers: readonly ColumnKind[] = ['integer', 'decimal', 'float'];

/** Kinds that every value of a kind can stand in, or be refused by row; never is one changed without a word. */
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

/** Whether values of one kind can be copied into columns of another. */
export const isConvertible = (from: ColumnKind, to: ColumnKind): boolean => destinations[from].includes(to);

/** A time with a zone in a column without one, or the other way round, is taken as one of UTC. */
export const changesZone = (from: ColumnKind, to: ColumnKind): boolean =>
  from !== to && times.includes(from) && times.includes(to);
