import { ConnectorError } from '../../error.ts';
import type { Cell } from '../../values.ts';
import { ByteReader, NotEnoughBytes } from './byte-reader.ts';
import { readColumnCount, type TdsColumn } from './columns.ts';
import {
  type OpenToken,
  openColumns,
  openRow,
  type ResultLimits,
  tooLarge,
  unreadable,
} from './open-token.ts';

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

const tokenColumns = 0x81;
const tokenRow = 0xd1;
const tokenNullBitmapRow = 0xd2;
/** ORDER, TABNAME, COLINFO: facts about the columns, which are not used. */
const ignored = new Set([0xa9, 0xa4, 0xa5]);
/** ERROR, INFO, ENVCHANGE: they start with their length. */
const measured = new Set([0xaa, 0xab, 0xe3]);
/** RETURNSTATUS, DONE, DONEPROC, DONEINPROC: their length is fixed. */
const lengths = new Map([
  [0x79, 4],
  [0xfd, 12],
  [0xfe, 12],
  [0xff, 12],
]);

export function createResultReader(limits: ResultLimits): ResultReader {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let needed = 1;
  let columns: readonly TdsColumn[] | undefined;
  let rows: (readonly Cell[])[] = [];
  let open: OpenToken | undefined;

  function described(): readonly TdsColumn[] {
    if (!columns) throw unreadable();
    return columns;
  }

  function beginColumns(count: number): OpenToken {
    const token = openColumns(count, (read) => {
      columns = read;
    });
    if (columns)
      throw new ConnectorError('more-than-one-statement', 'Only one statement may be run at a time.');
    return token;
  }

  const beginRow = (isNull: (at: number) => boolean): OpenToken =>
    openRow(described(), isNull, limits, (cells) => rows.push(cells));

  /** Begins a token that may arrive in many pieces. It skips any other token, which is ignored or for the driver. */
  function begin(reader: ByteReader): OpenToken | 'Ignored' | 'ForDriver' {
    const token = reader.u8();
    if (token === tokenColumns) return beginColumns(readColumnCount(reader));
    if (token === tokenRow) return beginRow(() => false);
    if (token === tokenNullBitmapRow) {
      const bitmap = reader.take(Math.ceil(described().length / 8));
      return beginRow((at) => (((bitmap[at >> 3] ?? 0) >> (at & 7)) & 1) === 1);
    }
    if (ignored.has(token)) {
      reader.take(reader.u16());
      return 'Ignored';
    }
    const length = measured.has(token) ? reader.u16() : lengths.get(token);
    if (length === undefined) throw unreadable();
    reader.take(length);
    return 'ForDriver';
  }

  /** Reads the next token, or the rest of an incomplete one. @returns true if the driver must read it. */
  function readToken(reader: ByteReader): boolean {
    if (!open) {
      const begun = begin(reader);
      reader.keep();
      if (typeof begun === 'string') return begun === 'ForDriver';
      open = begun;
    }
    open(reader);
    open = undefined;
    return false;
  }

  function readAll(bytes: Buffer): ResultPart {
    const columnsBefore = columns;
    const others: Buffer[] = [];
    const reader = new ByteReader(bytes, limits.maxCellBytes, () => tooLarge('value', limits.maxCellBytes));
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
    const part = { rows, others: Buffer.concat(others) };
    return columns && columns !== columnsBefore ? { ...part, columns } : part;
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
