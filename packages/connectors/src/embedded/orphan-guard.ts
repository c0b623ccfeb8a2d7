import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const checkMs = 1_000;

/**
 * Ends this process soon after its parent has died, even while the main thread is inside a synchronous statement and
 * cannot see that the channel was closed.
 */
export async function guardAgainstOrphaning(): Promise<void> {
  const code = `
    const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, ${checkMs});`;
  const worker = new Worker(code, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  // A thread comes up only while the main one is free: it must be there before the first statement.
  await once(worker, 'online');
  worker.unref();
}
