import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import type { ExecuteOptions } from '../../port.ts';
import type { Cell } from '../../values.ts';
import { type ByteReader, ChunkedValue } from './byte-reader.ts';
import { readColumn, readValue, type TdsColumn } from './columns.ts';
import { sqlserverCell } from './types.ts';

/** Reader of an incomplete column description or row. Bytes that it has read are not read again. */
export type OpenToken = (reader: ByteReader) => void;

export type ResultLimits = Pick<ExecuteOptions, 'maxCellBytes' | 'decimalsAsText'>;

/** SQL Server's own limit on columns of a result. In a row, each NULL may take only one bit. */
const columnsMax = 4_096;
/** A row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;

export const unreadable = (): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of SQL Server.');

export const tooLarge = (unit: 'value' | 'row', bytesMax: number): ConnectorError =>
  new ConnectorError('value-too-large', `A ${unit} of the result has more than ${plural(bytesMax, 'byte')}.`);

/** Opens the description of this many columns. */
export function openColumns(count: number, onEnd: (columns: readonly TdsColumn[]) => void): OpenToken {
  if (count > columnsMax) throw unreadable();
  const columns: TdsColumn[] = [];
  return (reader) => {
    while (columns.length < count) {
      const column = readColumn(reader);
      if (!column) {
        const message =
          'A column of the result is of a type that is not read here, sql_variant for example. Cast it.';
        throw new ConnectorError('statement-failed', message, { origin: 'Service' });
      }
      columns.push(column);
      reader.keep();
    }
    onEnd(columns);
  };
}

/**
 * Opens a row.
 *
 * @param isNull  returns true if the row's bitmap marks the value at this index as NULL
 */
export function openRow(
  columns: readonly TdsColumn[],
  isNull: (at: number) => boolean,
  { maxCellBytes, decimalsAsText = false }: ResultLimits,
  onEnd: (cells: readonly Cell[]) => void,
): OpenToken {
  const rowBytesMax = maxCellBytes * rowToCellFactor;
  const cells: Cell[] = [];
  let chunked: ChunkedValue | undefined;
  let bytes = 0;

  function readChunks(reader: ByteReader): Buffer | undefined {
    chunked ??= new ChunkedValue();
    const value = chunked.read(reader);
    chunked = undefined;
    return value;
  }

  function readCell(reader: ByteReader, { form, type }: TdsColumn): Cell {
    const value = form === 'chunks' ? readChunks(reader) : readValue(reader, form, type);
    if (value === undefined) return null;
    bytes += value.length;
    if (bytes > rowBytesMax) throw tooLarge('row', rowBytesMax);
    const cell = sqlserverCell(type, value, { decimalsAsText });
    if (cell === undefined) throw unreadable();
    return cell;
  }

  return (reader) => {
    for (let at = cells.length; at < columns.length; at++) {
      const column = columns[at] as TdsColumn;
      cells.push(isNull(at) ? null : readCell(reader, column));
      reader.keep();
    }
    onEnd(cells);
  };
}
