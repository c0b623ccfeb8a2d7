import type { Channel } from '../embedded/entry.ts';
import type { Job } from '../embedded/messages.ts';
import { sendRows } from '../embedded/send-rows.ts';
import { ConnectorError } from '../error.ts';
import { serveFiles } from './files-child.ts';
import { openDuckdb } from './instance.ts';
import { serveJoin } from './join-child.ts';
import { startStatement } from './statement.ts';

/** Serves the DuckDB jobs of a child process: each in an instance of its own. */
export async function serveDuckdb(job: Job, channel: Channel): Promise<void> {
  if (job.type === 'join') return serveJoin(job, channel);
  if (job.type === 'duckdb-files') return serveFiles(job, channel);
  if (job.type !== 'duckdb') throw new ConnectorError('engine-unavailable', `DuckDB cannot do ${job.type}.`);
  const duckdb = await openDuckdb(job);
  try {
    await duckdb.lock();
    const source = await startStatement(duckdb.connection, job.sql, job.values, () => undefined);
    await sendRows(source, channel, job.limits);
  } finally {
    duckdb.close();
  }
}
