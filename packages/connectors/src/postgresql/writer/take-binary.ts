import { type CopyInStream, openCopyIn } from '@svc/pg-wire';
import type pg from 'pg';
import type { BinaryTake, BinaryType } from '../../port.ts';
import type { RejectedRow } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';
import { quoted } from './names.ts';
import { columnOf, lineNumber, rejectionOf } from './rejections.ts';

/**
 * Types whose binary form is the same at every server of every version that is written to, whatever its settings. Not
 * among them: money, whose digits behind the point are a setting of the server, and types that have no fixed id.
 */
const fixedTypes = new Set([
  ...[16, 17, 18, 19, 20, 21, 23, 25, 26, 114, 600, 601, 602, 603, 604, 628, 650, 700, 701, 718, 774, 829],
  ...[869, 1042, 1043, 1082, 1083, 1114, 1184, 1186, 1266, 1560, 1562, 1700, 2950, 3802],
  // Lists of these; they name the type of what is in them.
  ...[
    1000, 1001, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1041, 1115, 1182, 1183, 1185, 1187, 1231,
    1270,
  ],
  ...[199, 651, 2951, 3807],
]);

/**
 * Whether a column holds each value of the other one as it is: the same type, and the same length or precision or none.
 * Into a shorter one the server would round or cut without a word.
 */
export const takesType = (column: PostgresqlColumn, { typeOid, typeModifier }: BinaryType): boolean =>
  column.typeOid === typeOid &&
  fixedTypes.has(typeOid) &&
  (column.typeModifier === -1 || column.typeModifier === typeModifier);

export type BinaryTaker = {
  readonly take: BinaryTake;
  /** Ends the rows; the one that the server rejected, if it did. */
  readonly end: () => Promise<readonly RejectedRow[]>;
  /** Rows that have arrived. */
  readonly sent: () => number;
};

/** Begins to take rows in binary form into a table, whose name is quoted. */
export async function startBinaryTaker(
  client: pg.Client,
  table: string,
  columns: readonly PostgresqlColumn[],
): Promise<BinaryTaker> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const stream: CopyInStream = await openCopyIn(
    client,
    `copy ${table} (${names}) from stdin (format binary)`,
  );
  let sent = 0;
  const rejectedOf = (error: unknown): RejectedRow => {
    const code = rejectionOf(error);
    const rowNumber = lineNumber(error);
    if (code === undefined || rowNumber === 0) throw error;
    return { rowNumber, key: null, column: columnOf(error), code };
  };
  return {
    take: (piece) => {
      const going = stream.write(piece);
      if (!going) return true;
      return going.then(
        () => true,
        (error: unknown) => {
          // A fault that speaks of no row is thrown; the row is told at the end.
          rejectedOf(error);
          return false;
        },
      );
    },
    end: async () => {
      try {
        sent = await stream.end();
        return [];
      } catch (error) {
        return [rejectedOf(error)];
      }
    },
    sent: () => sent,
  };
}
