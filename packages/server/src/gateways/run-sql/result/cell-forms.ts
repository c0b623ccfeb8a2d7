import { type Batch, type Cell, type Column, decimalCell, jsonFormOf } from '@svc/connectors';

/** Conversions of the cells of one result. */
export type CellForms = {
  /** Converts each cell to the JSON type of its column. */
  readonly leaving: (batch: Batch) => Batch;
  /** Converts decimals to the form that stored fingerprints use: a number where a double has all digits. */
  readonly fingerprinted: (batch: Batch) => Batch;
};

const asText = (cell: Cell): Cell => (cell === null || typeof cell === 'string' ? cell : String(cell));
const asDecimal = (cell: Cell): Cell => (typeof cell === 'string' ? decimalCell(cell) : cell);

/** Creates the conversions for the columns of a result. */
export function createCellForms(
  columns: readonly Pick<Column, 'kind' | 'databaseType' | 'isLoose'>[],
): CellForms {
  const texts = placesOf(columns, (column) => jsonFormOf(column) === 'text' && mayBeOther(column));
  const decimals = placesOf(columns, ({ kind }) => kind === 'decimal');
  return {
    leaving: (batch) => changed(batch, texts, asText),
    fingerprinted: (batch) => changed(batch, decimals, asDecimal),
  };
}

/**
 * Returns true if cells may differ from the text form: connectors return numbers for integers, for decimals of some
 * sources, and in columns of SQLite.
 */
const mayBeOther = ({ kind, isLoose = false }: Pick<Column, 'kind' | 'isLoose'>): boolean =>
  isLoose || kind === 'integer' || kind === 'decimal';

const placesOf = <T>(columns: readonly T[], has: (column: T) => boolean): ReadonlySet<number> =>
  new Set(columns.flatMap((column, place) => (has(column) ? [place] : [])));

const changed = (batch: Batch, places: ReadonlySet<number>, form: (cell: Cell) => Cell): Batch =>
  places.size === 0
    ? batch
    : {
        rowCount: batch.rowCount,
        columns: batch.columns.map((cells, place) => (places.has(place) ? cells.map(form) : cells)),
      };
