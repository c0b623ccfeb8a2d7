import { type CopyInStream, openCopyIn } from '@svc/pg-wire';
import type pg from 'pg';
import type { PassThroughForm, PassThroughTake } from '../../port.ts';
import type { RejectedRow } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';
import { quoted } from './names.ts';
import { columnOf, lineNumber, rejectionOf } from './rejections.ts';

export type PassThroughTaker = {
  readonly take: PassThroughTake;
  /** Ends the rows. Returns the row that the server rejected, if any. */
  readonly end: () => Promise<readonly RejectedRow[]>;
  /** Number of rows that have arrived. */
  readonly sent: () => number;
};

/** Starts receiving rows in a format of the server, into a table with a quoted name. */
export async function startPassThrough(
  client: pg.Client,
  table: string,
  columns: readonly PostgresqlColumn[],
  form: PassThroughForm,
): Promise<PassThroughTaker> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const stream: CopyInStream = await openCopyIn(
    client,
    `copy ${table} (${names}) from stdin (format ${form})`,
  );
  let sent = 0;
  const rejectedOf = (error: unknown): RejectedRow => {
    const code = rejectionOf(error);
    const rowNumber = lineNumber(error);
    if (code === undefined || rowNumber === 0) throw error;
    return {
      rowNumber,
      key: null,
      column: columnOf(
        error,
        columns.map(({ name }) => name),
      ),
      code,
    };
  };
  return {
    take: (piece) => {
      const going = stream.write(piece);
      if (!going) return true;
      return going.then(
        () => true,
        (error: unknown) => {
          // Throws an error that concerns no row. `end` reports a rejected row.
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
