import { defaultSettings } from '@svc/testkit/service/service.ts';
import type { WorkerSettings } from './worker-process.ts';

/** Returns the settings of a worker process for a test service: the same keys, with access to the sink. */
export const workerValues = (sink: Readonly<Record<string, unknown>>): WorkerSettings['values'] => ({
  ...defaultSettings,
  ...sink,
  'Svc:BaseUrl': 'https://svc.example/svc',
});
