import type { ColumnKind } from '@svc/connectors';
import type { TabularColumn, TimeKind } from '../../platform/tabular/index.ts';
import type { RunColumn } from './request.ts';

/** Kinds whose values are free text. Values of the other kinds have a form that is no formula. */
const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'json', 'other']);

const timeKinds: Partial<Record<ColumnKind, TimeKind>> = {
  date: 'Date',
  time: 'Time',
  timestamp: 'Timestamp',
  timestamptz: 'UtcTimestamp',
};

/** The columns of a result as those of a file. */
export const tabularColumns = (columns: readonly RunColumn[]): TabularColumn[] =>
  columns.map(({ name, kind, isLoose = false }) => {
    const time = timeKinds[kind];
    const isNumeric = kind === 'decimal' || kind === 'integer';
    return {
      name,
      isText: isLoose || textKinds.has(kind),
      ...(time && { time }),
      ...(isNumeric && { isNumeric }),
    };
  });
