import type { QueryPreview } from '@svc/contract';
import { exactNumber, type NumberFormat } from '../../../platform/tabular/index.ts';

const exactKinds: ReadonlySet<string> = new Set(['integer', 'decimal']);

/** Returns a preview whose whole numbers and decimals have the requested form. Default `Text`. */
export function withNumbers<T extends Pick<QueryPreview, 'columns' | 'rows'>>(
  preview: T,
  numbers: NumberFormat = 'Text',
): T {
  if (numbers === 'Text') return preview;
  const areNumbers = preview.columns.map(({ kind }) => exactKinds.has(kind));
  const rows = preview.rows.map((row) =>
    row.map((cell, index) => (areNumbers[index] ? exactNumber(cell) : cell)),
  );
  return { ...preview, rows };
}
