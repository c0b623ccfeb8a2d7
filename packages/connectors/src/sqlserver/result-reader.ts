import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { ByteReader, ChunkedValue, NotEnoughBytes } from './byte-reader.ts';
import { readColumn, readColumnCount, readValue, type TdsColumn } from './columns.ts';
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

/** What SQL Server puts into one result at most; a row of NULLs has a bit for each in its bytes. */
const columnsMax = 4_096;
/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;
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

/** A description of columns or a row, as far as it has come: what is read of it is not read again. */
type OpenToken = (reader: ByteReader) => void;

export function createResultReader({ maxCellBytes, decimalsAsText = false }: Limits): ResultReader {
  const rowMax = maxCellBytes * rowToCellFactor;
  const tooLarge = (): ConnectorError =>
    new ConnectorError('value-too-large', `A value of the result has more than ${maxCellBytes} bytes.`);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let needed = 1;
  let columns: readonly TdsColumn[] | undefined;
  let rows: (readonly Cell[])[] = [];
  let open: OpenToken | undefined;

  function openColumns(count: number): OpenToken {
    if (count > columnsMax) throw unreadable();
    if (columns)
      throw new ConnectorError('more-than-one-statement', 'Only one statement may be run at a time.');
    const read: TdsColumn[] = [];
    return (reader) => {
      while (read.length < count) {
        const column = readColumn(reader);
        if (!column) {
          const message =
            'A column of the result is of a type that is not read here, sql_variant for example. Cast it.';
          throw new ConnectorError('statement-failed', message, { origin: 'Service' });
        }
        read.push(column);
        reader.keep();
      }
      columns = read;
    };
  }

  /** @param isNull  whether the row said beforehand that the value at this place is NULL. */
  function openRow(of: readonly TdsColumn[], isNull: (at: number) => boolean): OpenToken {
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
      if (bytes > rowMax)
        throw new ConnectorError('value-too-large', `A row of the result has more than ${rowMax} bytes.`);
      const cell = sqlserverCell(type, value, { decimalsAsText });
      if (cell === undefined) throw unreadable();
      return cell;
    }

    return (reader) => {
      for (let at = cells.length; at < of.length; at++) {
        const column = of[at] as TdsColumn;
        cells.push(isNull(at) ? null : readCell(reader, column));
        reader.keep();
      }
      rows.push(cells);
    };
  }

  function described(): readonly TdsColumn[] {
    if (!columns) throw unreadable();
    return columns;
  }

  /** Begins a token that may come in many pieces; any other is read past, and said whether it is of use here alone. */
  function begin(reader: ByteReader): OpenToken | 'own' | 'other' {
    const token = reader.u8();
    if (token === tokenColumns) return openColumns(readColumnCount(reader));
    if (token === tokenRow) return openRow(described(), () => false);
    if (token === tokenNullBitmapRow) {
      const of = described();
      const bitmap = reader.take(Math.ceil(of.length / 8));
      return openRow(of, (at) => (((bitmap[at >> 3] ?? 0) >> (at & 7)) & 1) === 1);
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

  /** The next token, or what was missing of it. @returns whether the driver is to read it. */
  function readToken(reader: ByteReader): boolean {
    if (!open) {
      const begun = begin(reader);
      reader.keep();
      if (typeof begun === 'string') return begun === 'other';
      open = begun;
    }
    open(reader);
    open = undefined;
    return false;
  }

  function readAll(bytes: Buffer): ResultPart {
    const known = columns;
    const others: Buffer[] = [];
    const reader = new ByteReader(bytes, maxCellBytes, tooLarge);
    rows = [];
    needed = 1;
    try {
      while (reader.at < bytes.length) {
        const from = reader.at;
        if (readToken(reader)) others.push(bytes.subarray(from, reader.at));
      }
    } catch (error) {
      if (!(error instanceof NotEnoughBytes)) throw error;
      needed = error.needed;
    }
    waitingBytes = reader.rest.length;
    waiting = waitingBytes > 0 ? [reader.rest] : [];
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
      if (waitingBytes > 0 || open) throw unreadable();
    },
  };
}
