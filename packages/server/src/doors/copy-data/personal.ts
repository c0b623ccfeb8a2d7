import type { Batch, Column, SqlDialect } from '@svc/connectors';
import { createMasker } from '../run-sql/masking/index.ts';
import type { Mapped } from './mapping.ts';
import type { CopyDefinition } from './request.ts';

export type PassedRows = { readonly batch: Batch; readonly refused: ReadonlyMap<number, number> };

/** What a copy does about personal data, row by row. */
export type PersonalGate = {
  /** True where the column as a whole may hold personal data. */
  readonly isPersonal: (index: number) => boolean;
  /** True where no value of these columns has to be looked at. */
  readonly passesUnseen: (columns: readonly Mapped[]) => boolean;
  /** The columns that are copied, as they may be; and rows that may not be, with the first column that says so. */
  readonly pass: (batch: Batch, columns: readonly Mapped[]) => PassedRows;
};

const nothingRefused: ReadonlyMap<number, number> = new Map();

/**
 * Judges columns and values as a run of the same statement does. Where personal data is refused, a value that looks
 * like it is refused with its row also in a column that nothing speaks against.
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

/** Rows in which a cell was masked, with the place of the first such column. */
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

/** The kind of a column as it arrives: masked as a whole it is text. */
export const arrivingColumn = (
  { personalData }: Pick<CopyDefinition, 'personalData'>,
  gate: Pick<PersonalGate, 'isPersonal'>,
  column: Column,
  index: number,
): Column =>
  personalData === 'Mask' && gate.isPersonal(index) && column.kind !== 'json'
    ? { ...column, kind: 'text', databaseType: 'text (masked)' }
    : column;

/** The places of the columns that are copied. */
const wantedColumns = (batch: Batch, columns: readonly Mapped[]): Batch => ({
  rowCount: batch.rowCount,
  columns: columns.map(({ index }) => batch.columns[index] ?? []),
});
