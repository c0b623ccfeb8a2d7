import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Channel } from '../../embedded/entry.ts';
import type { Job } from '../../embedded/messages.ts';
import { sendRows } from '../../embedded/send-rows.ts';
import { ConnectorError } from '../../error.ts';
import { serveJoin } from '../join/serve-join.ts';
import { openDuckdb } from './instance.ts';
import { startStatement } from './statement.ts';

/** Serves the DuckDB jobs of a child process. Each job has its own instance and temporary folder. */
export async function serveDuckdb(job: Job, channel: Channel, writableFolder: string): Promise<void> {
  const temporaryFolder = await mkdtemp(path.join(writableFolder, 'run-'));
  try {
    if (job.type === 'join') return await serveJoin(job, channel, temporaryFolder);
    if (job.type === 'describe-files') return await serveDescription(job, channel, temporaryFolder);
    return await serveStatement(job, channel, temporaryFolder);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** Sends the reading of each file. */
async function serveDescription(
  { files, resources }: Extract<Job, { type: 'describe-files' }>,
  channel: Channel,
  temporaryFolder: string,
): Promise<void> {
  const duckdb = await openDuckdb({ files, resources, temporaryFolder });
  try {
    duckdb.assertReadable();
    channel.send({ type: 'value', value: duckdb.views.map((view) => 'reading' in view && view.reading) });
  } finally {
    duckdb.close();
  }
}

async function serveStatement(job: Job, channel: Channel, temporaryFolder: string): Promise<void> {
  if (job.type !== 'duckdb') throw new ConnectorError('engine-unavailable', `DuckDB cannot do ${job.type}.`);
  const { files, resources } = job;
  const duckdb = await openDuckdb({ files, resources, temporaryFolder });
  const hasDatabases = files.some(({ format }) => format === 'duckdb');
  const names = new Set(files.map(({ name }) => name.toLowerCase()));
  const confinedTo = job.isOurs !== true && hasDatabases ? names : undefined;
  try {
    if (job.needsAllFiles) duckdb.assertReadable();
    await duckdb.lock();
    const source = await startStatement(
      duckdb.connection,
      { ...job, ...(confinedTo && { confinedTo }) },
      () => undefined,
    ).catch((error: unknown) => {
      // An unreadable file has no columns: report the reason of the file instead of a missing column.
      if (error instanceof ConnectorError && error.code === 'statement-failed') duckdb.assertReadable();
      throw error;
    });
    await sendRows(source, channel, job.limits);
  } finally {
    duckdb.close();
  }
}
