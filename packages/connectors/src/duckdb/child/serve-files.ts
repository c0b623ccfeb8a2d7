import type { Channel } from '../../embedded/entry.ts';
import type { Job } from '../../embedded/messages.ts';
import { ConnectorError } from '../../error.ts';
import { duckdbError } from '../errors.ts';
import { openDuckdb } from './instance.ts';

/** Runs the statements of a writer in an instance that can access only the files of the job. */
export async function serveFiles(job: Job, channel: Channel): Promise<void> {
  if (job.type !== 'duckdb-files')
    throw new ConnectorError('engine-unavailable', `The writer cannot do ${job.type}.`);
  const duckdb = await openDuckdb(job);
  try {
    await duckdb.lock();
    for (const statement of job.statements) {
      const result = await duckdb.connection.runAndReadAll(statement);
      channel.send({ type: 'value', value: result.getRowsJson() });
    }
  } catch (error) {
    throw duckdbError(error);
  } finally {
    duckdb.close();
  }
}
