import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';
import { hostAnswer } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const statistics = '/svc/api/control-tower/statistics';
const roles = 'Svc:Host:Roles';

scenario(
  ['ID-2.6-880', 'ID-2.6-881', 'ID-2.6-882'],
  'processes with separate roles do only their own work, and the control tower reports missing roles',
  async ({ deliver }) => {
    const { svc, root, addQuery, sink } = await deliver({ [roles]: ['Web'] });
    const none = { hasLiveWorker: false, hasLiveScheduler: false, lastHeartbeatAt: null };
    expect((await root.get(statistics)).body).toMatchObject(none);
    const subscriptionId = await addSubscription(root, {
      queryId: await addQuery('select 1 as found'),
      recipientIds: [await addRecipient(root, { notificationType: 'Webhook', destination: sink.url })],
    });
    const run = await root.post(`/svc/api/subscriptions/${subscriptionId}/test-run`);
    expect(run.status).toBe(202);

    // This worker serves only deliveries, so the run in another queue waits.
    const few = await svc.replica({ [roles]: ['Worker'], 'Svc:Jobs:Queues': ['deliveries'] });
    const paths = [
      '/svc',
      '/svc/',
      '/svc/login',
      '/svc/api/projects',
      '/svc/api/health',
      '/svc/api/hub',
      '/svc/mcp',
    ];
    const discovery = ['/.well-known/oauth-protected-resource', '/.well-known/mcp/server-card.json'];
    for (const path of [...paths, ...discovery, '/svc/mcp/server-card', '/openapi/v1.json']) {
      const answer = await few.client().get(path);
      expect([path, answer.status, answer.text]).toEqual([path, 404, hostAnswer]);
    }
    await expect
      .poll(async () => (await root.get(statistics)).body)
      .toMatchObject({
        hasLiveWorker: true,
        hasLiveScheduler: false,
        unservedQueues: ['runs', 'contracts', 'schemas', 'migrations', 'ai', 'maintenance'],
      });
    expect(sink.received).toEqual([]);

    await svc.replica({ [roles]: ['Worker', 'Scheduler'] });
    await expect.poll(() => sink.received.length).toBe(1);
    await expect
      .poll(async () => (await root.get(statistics)).body)
      .toMatchObject({ hasLiveWorker: true, hasLiveScheduler: true, unservedQueues: [] });
    const ranIn = await svc.sql<{ queues: string[] }>(
      `select array_agg(w.queue) as queues from svc_jobs.job j join svc_jobs.worker w on w.id = j.worker_id
        join svc_jobs.server s on s.id = w.server_id where j.queue = 'runs' and not s.is_scheduler`,
    );
    expect(ranIn).toEqual([{ queues: null }]);
  },
);
