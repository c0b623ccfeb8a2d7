import type { ExecuteOptions, ResultStream, Statement } from '../../port.ts';
import { checkRead } from '../gate/checked-read.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { AtOnceOptions, ExecuteDeps } from './prepare.ts';
import { readAtOnce } from './read-at-once.ts';
import { readStream, smallResultBytes } from './read-stream.ts';

/** So many rows and one more are read at once where nobody takes more. */
const rowsAtOnceMax = 100;

/** Runs one read: at once where a few rows are wanted, else as a stream. */
export async function executePostgresql(
  connection: PostgresqlConnection,
  statement: Statement,
  options: ExecuteOptions,
  deps: ExecuteDeps,
): Promise<ResultStream> {
  const read = await checkRead(statement.sql);
  return isReadAtOnce(options)
    ? readAtOnce(connection, statement, options, deps, read)
    : readStream(connection, statement, options, deps, read);
}

const isReadAtOnce = (options: ExecuteOptions): options is AtOnceOptions =>
  options.rowsWanted !== undefined &&
  options.rowsWanted <= Math.min(rowsAtOnceMax, options.maxRows) &&
  options.maxBytes <= smallResultBytes;
