import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { ByteReader, ChunkedValue, NotEnoughBytes } from './byte-reader.ts';
import { readColumn, readColumnCount, readValue, type TdsColumn } from './columns.ts';
import { sqlserverCell } from './types.ts';

/** Content of a piece of an answer. */
export type ResultPart = {
  /** Columns of the result, in the piece in which their description ends. */
  readonly columns?: readonly TdsColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** All other tokens (errors, notices, the end), unchanged: the driver reads them. */
  readonly others: Buffer;
};

/**
 * Extracts the rows from the tokens of an answer (TDS 7.4), regardless of the boundaries of pieces. Throws
 * `ConnectorError`s.
 */
export type ResultReader = {
  readonly read: (piece: Buffer) => ResultPart;
  /** Ends the answer. Throws if it ends within a token. */
  readonly end: () => void;
};

type Limits = Pick<ExecuteOptions, 'maxCellBytes' | 'decimalsAsText'>;

/** SQL Server's own limit on columns of a result. In a row, each NULL may take only one bit. */
const columnsMax = 4_096;
/** A whole row may have this many times the bytes of its largest value. */
const rowToCellFactor = 4;
const tokenColumns = 0x81;
const tokenRow = 0xd1;
const tokenNullBitmapRow = 0xd2;
/** ORDER, TABNAME, COLINFO: facts about the columns, which are not used. */
const passedOver = new Set([0xa9, 0xa4, 0xa5]);
/** ERROR, INFO, ENVCHANGE: they start with their length. */
const measured = new Set([0xaa, 0xab, 0xe3]);
/** RETURNSTATUS, DONE, DONEPROC, DONEINPROC: their length is fixed. */
const lengths = new Map([
  [0x79, 4],
  [0xfd, 12],
  [0xfe, 12],
  [0xff, 12],
]);

const unreadable = (): ConnectorError =>
  new ConnectorError('connection-lost', 'The server sent what is no answer of SQL Server.');

/** Reader of an incomplete column description or row. Bytes that it has read are not read again. */
type OpenToken = (reader: ByteReader) => void;

export function createResultReader({ maxCellBytes, decimalsAsText = false }: Limits): ResultReader {
  const rowMax = maxCellBytes * rowToCellFactor;
  const tooLarge = (): ConnectorError =>
    new ConnectorError(
      'value-too-large',
      `A value of the result has more than ${plural(maxCellBytes, 'byte')}.`,
    );
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

  /** @param isNull  returns true if the row's bitmap marks the value at this index as NULL. */
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
        throw new ConnectorError(
          'value-too-large',
          `A row of the result has more than ${plural(rowMax, 'byte')}.`,
        );
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

  /** Begins a token that may arrive in many pieces. It skips any other token: `own` is ignored, `other` is for the driver. */
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

  /** Reads the next token, or the rest of an incomplete one. @returns true if the driver must read it. */
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
