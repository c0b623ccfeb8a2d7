import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const checkMs = 1_000;

/**
 * Ends this process soon after its parent has exited, even while a synchronous statement blocks the main thread,
 * which then cannot detect the closed channel.
 */
export async function guardAgainstOrphaning(): Promise<void> {
  const code = `
    const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, ${checkMs});`;
  const worker = new Worker(code, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  // A thread starts only while the main thread is free: it must run before the first statement.
  await once(worker, 'online');
  worker.unref();
}
