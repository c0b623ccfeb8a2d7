import type { Batch, Column, SqlDialect } from '@svc/connectors';
import { createMasker } from '../run-sql/masking/index.ts';
import type { Mapped } from './mapping.ts';
import type { CopyDefinition } from './request.ts';

export type PassedRows = { readonly batch: Batch; readonly refused: ReadonlyMap<number, number> };

/** Applies the copy's setting for personal data to each row. */
export type PersonalGate = {
  /** True if the column as a whole may contain personal data. */
  readonly isPersonal: (index: number) => boolean;
  /** True if the values of these columns need no inspection. */
  readonly passesUnseen: (columns: readonly Mapped[]) => boolean;
  /** Returns the copied columns, masked if required. `refused` maps each refused row to its first column with personal data. */
  readonly pass: (batch: Batch, columns: readonly Mapped[]) => PassedRows;
};

const nothingRefused: ReadonlyMap<number, number> = new Map();

/**
 * Classifies columns and values by the same rules as a run of the statement. With `Refuse`, a row is refused if any value
 * looks like personal data, also in a column that is not classified as personal.
 */
export function createPersonalGate(
  { personalData, masking }: Pick<CopyDefinition, 'personalData' | 'masking'>,
  statement: { readonly sql: string; readonly dialect: SqlDialect; readonly columns: readonly Column[] },
): PersonalGate {
  const masker = createMasker({ rules: { ...masking, isEnabled: true }, ...statement });
  return {
    isPersonal: masker.isWholeColumn,
    passesUnseen: (columns) => personalData === 'Copy' || !columns.some(({ index }) => masker.mayMask(index)),
    pass: (read, columns) => {
      const batch = wantedColumns(read, columns);
      if (personalData === 'Copy') return { batch, refused: nothingRefused };
      const masked = wantedColumns(masker.mask(read), columns);
      if (personalData === 'Mask') return { batch: masked, refused: nothingRefused };
      return { batch, refused: changedRows(batch, masked) };
    },
  };
}

/** Returns the rows with a masked cell, each with the index of its first such column. */
function changedRows(batch: Batch, masked: Batch): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (const [column, cells] of batch.columns.entries()) {
    const other = masked.columns[column];
    if (other === undefined || other === cells) continue;
    for (let row = 0; row < batch.rowCount; row++) {
      if (cells[row] !== other[row] && !rows.has(row)) rows.set(row, column);
    }
  }
  return rows;
}

/** Returns the column in the kind that the destination receives. A fully masked column is text. */
export const arrivingColumn = (
  { personalData }: Pick<CopyDefinition, 'personalData'>,
  gate: Pick<PersonalGate, 'isPersonal'>,
  column: Column,
  index: number,
): Column =>
  personalData === 'Mask' && gate.isPersonal(index) && column.kind !== 'json'
    ? { ...column, kind: 'text', databaseType: 'text (masked)' }
    : column;

/** Returns the batch with the copied columns only. */
const wantedColumns = (batch: Batch, columns: readonly Mapped[]): Batch => ({
  rowCount: batch.rowCount,
  columns: columns.map(({ index }) => batch.columns[index] ?? []),
});
