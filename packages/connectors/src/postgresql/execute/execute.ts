import type { ExecuteOptions, ResultStream, Statement } from '../../port.ts';
import { checkRead } from '../gate/checked-read.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { AtOnceOptions, ExecuteDeps } from './prepare.ts';
import { readAtOnce } from './read-at-once.ts';
import { readStream, smallResultBytes } from './read-stream.ts';

/** Largest row limit for a read without a stream. It reads one row more. */
const rowsAtOnceMax = 100;

/** Runs one read: in one step for a few rows, otherwise as a stream. */
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
