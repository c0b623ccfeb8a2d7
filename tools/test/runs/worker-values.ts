import { testValues } from '../../../packages/server/src/testing.ts';
import type { WorkerSettings } from './worker-process.ts';

/** Settings of a worker process beside a test service: the same keys, the sink in reach. */
export const workerValues = (sink: Readonly<Record<string, unknown>>): WorkerSettings['values'] => ({
  ...testValues,
  ...sink,
  'Svc:BaseUrl': 'https://svc.example/svc',
});
