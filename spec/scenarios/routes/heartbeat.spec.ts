import { startMonitor } from '@svc/testkit/outside/monitor.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-522'],
  'the watchdog requests an external monitor address after it checks for runs that did not start',
  async ({ start, onEnd }) => {
    const monitor = await startMonitor();
    onEnd(monitor.close);
    const ping = monitor.next();
    await start({ 'Svc:Watchdog:HeartbeatUrl': `${monitor.origin}/ping/some-token` });
    expect(await ping).toEqual({ method: 'GET', url: '/ping/some-token' });
  },
);
