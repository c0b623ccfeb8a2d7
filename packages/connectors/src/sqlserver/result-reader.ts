import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { ByteReader, NotEnoughBytes } from './byte-reader.ts';
import { readColumns, readValue, type TdsColumn } from './columns.ts';
import { sqlserverCell } from './types.ts';

/** What a piece of an answer holds. */
export type ResultPart = {
  /** Of the one result, in the part that they end in. */
  readonly columns?: readonly TdsColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Everything else that the server says (errors, notices, the end), as it came: the driver reads it. */
  readonly others: Buffer;
};

/** Takes the rows out of the tokens of an answer (TDS 7.4), however the pieces are cut. Throws `ConnectorError`s. */
export type ResultReader = {
  readonly read: (piece: Buffer) => ResultPart;
  /** The answer is over. Throws when it ends within a token. */
  readonly end: () => void;
};

type Limits = Pick<ExecuteOptions, 'maxCellBytes' | 'decimalsAsText'>;

/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;
/** Bytes that other tokens may have, the description of 4,096 columns among them. */
const tokenBytesMax = 4 * 1024 * 1024;

const tokenColumns = 0x81;
const tokenRow = 0xd1;
const tokenNullBitmapRow = 0xd2;
/** ORDER, TABNAME, COLINFO: about the columns, and of no use here. */
const passedOver = new Set([0xa9, 0xa4, 0xa5]);
/** ERROR, INFO, ENVCHANGE: their length stands first. */
const measured = new Set([0xaa, 0xab, 0xe3]);
/** RETURNSTATUS, DONE, DONEPROC, DONEINPROC: always as long. */
const lengths = new Map([
  [0x79, 4],
  [0xfd, 12],
  [0xfe, 12],
  [0xff, 12],
]);

const unreadable = (): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of SQL Server.');

export function createResultReader({ maxCellBytes, decimalsAsText = false }: Limits): ResultReader {
  const rowMax = maxCellBytes * rowToCellFactor;
  const tooLarge = (): ConnectorError =>
    new ConnectorError('value-too-large', `A value of the result has more than ${maxCellBytes} bytes.`);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let needed = 1;
  let columns: readonly TdsColumn[] | undefined;

  function readRow(reader: ByteReader, of: readonly TdsColumn[], isNull: (at: number) => boolean): Cell[] {
    const from = reader.at;
    return of.map((column, at) => {
      const bytes = isNull(at) ? undefined : readValue(reader, column);
      if (reader.at - from > rowMax)
        throw new ConnectorError('value-too-large', `A row of the result has more than ${rowMax} bytes.`);
      if (bytes === undefined) return null;
      const cell = sqlserverCell(column.type, bytes, { decimalsAsText });
      if (cell === undefined) throw unreadable();
      return cell;
    });
  }

  function readHeader(reader: ByteReader): readonly TdsColumn[] {
    if (columns)
      throw new ConnectorError('more-than-one-statement', 'Only one statement may be run at a time.');
    const read = readColumns(reader);
    if (read) return read;
    const message =
      'A column of the result is of a type that is not read here, sql_variant for example. Cast it.';
    throw new ConnectorError('statement-failed', message);
  }

  function readToken(reader: ByteReader, rows: (readonly Cell[])[]): 'own' | 'other' {
    const token = reader.u8();
    if (token === tokenColumns) {
      columns = readHeader(reader);
      return 'own';
    }
    if (token === tokenRow || token === tokenNullBitmapRow) {
      if (!columns) throw unreadable();
      const bitmap = token === tokenRow ? undefined : reader.take(Math.ceil(columns.length / 8));
      rows.push(readRow(reader, columns, (at) => (((bitmap?.[at >> 3] ?? 0) >> (at & 7)) & 1) === 1));
      return 'own';
    }
    if (passedOver.has(token)) {
      reader.take(reader.u16());
      return 'own';
    }
    const length = measured.has(token) ? reader.u16() : lengths.get(token);
    if (length === undefined) throw unreadable();
    reader.take(length);
    return 'other';
  }

  function readAll(bytes: Buffer): ResultPart {
    const known = columns;
    const rows: (readonly Cell[])[] = [];
    const others: Buffer[] = [];
    const reader = new ByteReader(bytes, maxCellBytes, tooLarge);
    let from = 0;
    needed = 1;
    try {
      while (from < bytes.length) {
        if (readToken(reader, rows) === 'other') others.push(bytes.subarray(from, reader.at));
        from = reader.at;
      }
    } catch (error) {
      if (!(error instanceof NotEnoughBytes)) throw error;
      if (error.needed - from > Math.max(tokenBytesMax, rowMax + maxCellBytes)) throw tooLarge();
      needed = error.needed - from;
    }
    waiting = from < bytes.length ? [bytes.subarray(from)] : [];
    waitingBytes = bytes.length - from;
    const found = columns !== known && columns ? { columns } : {};
    return { ...found, rows, others: Buffer.concat(others) };
  }

  return {
    read: (piece) => {
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes < needed) return { rows: [], others: Buffer.alloc(0) };
      return readAll(waiting.length === 1 ? piece : Buffer.concat(waiting, waitingBytes));
    },
    end: () => {
      if (waitingBytes > 0) throw unreadable();
    },
  };
}
