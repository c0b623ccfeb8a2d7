import { uuidV7 } from '../../db/uuid.ts';
import { createTurns } from './turns.ts';
import { startWorker, type Worker, type WorkerDeps } from './worker.ts';

export type WorkersDeps = Omit<WorkerDeps, 'id' | 'queue' | 'concurrency' | 'turns'> & {
  /** Queues to serve, with the maximum number of running jobs of each in this process. */
  readonly queues: ReadonlyMap<string, number>;
};

/** Starts the workers of a process, one per queue. They claim jobs after the first `setRules`. */
export function startWorkers({ queues, ...shared }: WorkersDeps): ReadonlyMap<string, Worker> {
  const turns = createTurns();
  const workers = new Map<string, Worker>();
  for (const [queue, concurrency] of queues) {
    workers.set(queue, startWorker({ ...shared, id: uuidV7(), queue, concurrency, turns }));
  }
  return workers;
}
