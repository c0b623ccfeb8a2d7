import { loadConfig } from '../../../platform/config/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createSvc } from '../../../svc.ts';

/** Process that rotates, for tests that kill it. Input is one JSON argument. Output is one JSON line per batch. */
type Order = {
  readonly connection: object;
  readonly values: Parameters<typeof loadConfig>[0]['values'];
  /** Pauses after this number of batches until it is killed; 0: runs to its end. */
  readonly standsAfter: number;
};

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const svc = await createSvc({
  config: loadConfig({ values: order.values ?? {} }).config,
  database: order.connection,
  log: createLog('silent'),
});
let batches = 0;
const report = await svc.rotateSecrets({
  onProgress: (progress) => {
    process.stdout.write(`${JSON.stringify({ progress })}\n`);
    batches += 1;
    if (batches === order.standsAfter) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
process.stdout.write(`${JSON.stringify({ report })}\n`);
await svc.close();
