import { plural } from '@svc/contract/wording';
import { FileRefusal } from '../file-refusals.ts';

/** Rows of a vector, the unit in which the engine reads. Its memory does not depend on the rows of the file. */
const vectorRows = 2_048;
/** Vectors of each column that a read occupies at one time: 3, with a margin for the texts of the rows. */
const vectorsPerColumn = 4.2;
/** Memory for the text of the file. */
const reservedBytes = 60_000_000;
/** Columns of text for which even a small memory suffices. */
const textColumnsMin = 100;
const textBytes = 16;
const valueBytes: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  DATE: 4,
  BIGINT: 8,
  DOUBLE: 8,
  TIME: 8,
  TIMESTAMP: 8,
};

/** Returns the number of text columns that can be read with the memory. */
const textColumnsMaxOf = (memoryBytes: number): number =>
  Math.max(
    textColumnsMin,
    Math.floor((memoryBytes - reservedBytes) / (vectorsPerColumn * vectorRows * textBytes)),
  );

/** @throws FileRefusal for a sheet that a statement cannot read with all its columns */
export function assertNotTooWide(
  { file, sheet }: { readonly file: string; readonly sheet: string },
  columns: readonly { readonly type: string }[],
  memoryBytes: number,
): void {
  const textColumnsMax = textColumnsMaxOf(memoryBytes);
  const bytes = columns.reduce((sum, { type }) => sum + (valueBytes[type] ?? textBytes), 0);
  if (bytes <= textColumnsMax * textBytes) return;
  throw new FileRefusal(
    `The sheet ${sheet} in the file ${file} has ${plural(columns.length, 'column')}, more than the memory of the engine can hold. At most ${plural(textColumnsMax, 'column')} of text, or ${plural(textColumnsMax * 2, 'column')} of numbers, can be read. Divide the sheet.`,
  );
}
