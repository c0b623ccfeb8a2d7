import { startService } from '@svc/testkit/service/service.ts';

/** A service in a separate process, started by `connections.ts`, which queries its memory usage. */
const svc = await startService({
  on: { testDatabase: JSON.parse(process.argv[2] ?? '') },
  config: { 'Svc:Realtime:MaxConnectionsPerUser': 100_000, 'Svc:Jobs:Workers': 0 },
});
process.on('message', (asked) => {
  if (asked === 'memory') {
    globalThis.gc?.();
    process.send?.({ rssBytes: process.memoryUsage().rss });
  } else void svc.close().then(() => process.exit(0));
});
process.send?.({ origin: svc.origin });
