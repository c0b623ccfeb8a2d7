import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { pino } from 'pino';
import { type ConfigSources, loadConfig } from '../../../packages/server/src/platform/config/index.ts';
import { createSvc } from '../../../packages/server/src/svc.ts';

/** Input of a worker process. */
export type WorkerSettings = {
  readonly connection: TestDatabase['connection'];
  readonly values: NonNullable<ConfigSources['values']>;
  readonly leaseMs: number;
};

/** Runs the jobs of a database: the service without its HTTP side, in a separate process that tests can kill. */
async function work({ connection, values, leaseMs }: WorkerSettings): Promise<void> {
  const svc = await createSvc({
    config: loadConfig({ values }).config,
    database: connection,
    log: pino({ level: 'silent' }),
    jobs: { leaseMs, sweepIntervalMs: leaseMs / 4, pollIntervalMs: leaseMs / 4 },
  });
  await svc.start();
  process.send?.('started');
  process.once('disconnect', () => void svc.close().then(() => process.exit(0)));
}

process.once('message', (settings: WorkerSettings) => void work(settings));
