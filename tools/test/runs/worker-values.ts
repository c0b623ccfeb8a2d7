import { defaultSettings } from '@svc/testkit/service/service.ts';
import type { WorkerSettings } from './worker-process.ts';

/** Settings of a worker process beside a test service: the same keys, the sink in reach. */
export const workerValues = (sink: Readonly<Record<string, unknown>>): WorkerSettings['values'] => ({
  ...defaultSettings,
  ...sink,
  'Svc:BaseUrl': 'https://svc.example/svc',
});
