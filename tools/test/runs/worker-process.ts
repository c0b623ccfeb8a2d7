import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { pino } from 'pino';
import { type ConfigSources, loadConfig } from '../../../packages/server/src/platform/config/index.ts';
import { createSvc } from '../../../packages/server/src/svc.ts';

/** What a worker process is told when it starts. */
export type WorkerSettings = {
  readonly connection: TestDatabase['connection'];
  readonly values: NonNullable<ConfigSources['values']>;
  readonly leaseMs: number;
};

/** The service without its HTTP side, in a process of its own that can be killed: it runs the jobs of a database. */
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
