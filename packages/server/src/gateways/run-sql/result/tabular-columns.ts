import type { ColumnKind } from '@svc/connectors';
import type { TabularColumn, TimeKind } from '../../../platform/tabular/index.ts';
import type { RunColumn } from '../request.ts';

/** Kinds of free text. Values of other kinds have a form that cannot be a formula. */
const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'json', 'other']);

const timeKinds: Partial<Record<ColumnKind, TimeKind>> = {
  date: 'Date',
  time: 'Time',
  timestamp: 'Timestamp',
  timestamptz: 'UtcTimestamp',
};

/** Converts the columns of a result into those of a file. */
export const tabularColumns = (columns: readonly RunColumn[]): TabularColumn[] =>
  columns.map(({ name, kind, isLoose = false }) => {
    const time = timeKinds[kind];
    const isNumeric = kind === 'decimal' || kind === 'integer';
    return {
      name,
      isText: isLoose || textKinds.has(kind),
      ...(time && { time }),
      ...(isNumeric && { isNumeric }),
      ...(kind === 'float' && { isFloat: true }),
    };
  });
