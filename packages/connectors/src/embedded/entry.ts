import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ConnectorError } from '../error.ts';
import type { FromChild, Job, ToChild } from './messages.ts';
import { guardAgainstOrphaning } from './orphan-guard.ts';

/**
 * Program of the child processes. It serves one job at a time. Operations that are unsafe in the service's own
 * process (synchronous SQLite, DuckDB's threads) run here, where the process can be killed.
 */
export type Channel = {
  readonly send: (message: FromChild) => void;
  readonly receive: () => Promise<ToChild>;
};

/** Serves one job. Throws a `ConnectorError` that is reported to the caller. */
type Serve = (job: Job, channel: Channel) => Promise<void>;

async function loadEngine(kind: string | undefined, writableFolder: string): Promise<Serve> {
  if (kind === 'sqlite') return (await import('../sqlite/child.ts')).serveSqlite;
  // The driver must load before the modules that import it.
  (await import('../duckdb/child/driver.ts')).loadDuckdb();
  if (kind === 'duckdb-files') return (await import('../duckdb/child/serve-files.ts')).serveFiles;
  const { serveDuckdb } = await import('../duckdb/child/serve.ts');
  return (job, channel) => serveDuckdb(job, channel, writableFolder);
}

/** Tries to open the probe for writing, on this thread and on a thread of the pool. Only an unrestricted process succeeds. */
async function isConfined(probe: string): Promise<boolean> {
  try {
    closeSync(openSync(probe, 'r+'));
    return false;
  } catch {
    return open(probe, 'r+').then(
      (file) => file.close().then(() => false),
      () => true,
    );
  }
}

function openChannel(): Channel {
  const inbox: ToChild[] = [];
  let waiting: ((message: ToChild) => void) | undefined;
  process.on('message', (message) => {
    // Only the parent's own program writes to this channel.
    const received = message as ToChild;
    if (waiting) {
      const resolve = waiting;
      waiting = undefined;
      resolve(received);
    } else {
      inbox.push(received);
    }
  });
  return {
    send: (message) => process.send?.(message),
    receive: () =>
      new Promise((resolve) => {
        const next = inbox.shift();
        if (next) resolve(next);
        else waiting = resolve;
      }),
  };
}

function failure(error: unknown): FromChild {
  if (error instanceof ConnectorError) {
    const { code, message, position, engineCode, origin } = error;
    return { type: 'failed', code, message, position, engineCode, origin };
  }
  return {
    type: 'failed',
    code: 'statement-failed',
    message: error instanceof Error ? error.message : String(error),
    origin: 'Execution',
  };
}

async function main(): Promise<never> {
  process.on('disconnect', () => process.exit(0));
  await guardAgainstOrphaning();
  const channel = openChannel();
  const [kind, probe = '', writableFolder = ''] = process.argv.slice(2);
  const serve = await loadEngine(kind, writableFolder);
  channel.send({ type: 'ready', isConfined: await isConfined(probe) });
  for (;;) {
    const message = await channel.receive();
    // Skips requests for rows that the parent sent before it saw the end of the last job.
    if (message.type !== 'start') continue;
    try {
      await serve(message.job, channel);
      channel.send({ type: 'done' });
    } catch (error) {
      channel.send(failure(error));
    }
  }
}

await main();
