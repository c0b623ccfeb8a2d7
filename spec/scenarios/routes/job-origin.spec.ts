import { addRecipient, addSubscription, finishedRun } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const hex = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${hex}-00f067aa0ba902b7-01`;
const traceId = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';

scenario(
  ['RT-4.3-525', 'DL-9-02'],
  'a job that an API request started stores its method, route, user and trace, without a recorded call',
  async ({ deliver }) => {
    const { svc, root, sink, addQuery } = await deliver({}, { dashboard: { prefix: '/warp' } });
    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination: sink.url });
    const queryId = await addQuery('select 1 as one', 'One');
    const id = await addSubscription(root, { queryId, recipientIds: [recipientId] });
    const started = await root.post(`/svc/api/subscriptions/${id}/test-run`, undefined, {
      headers: { traceparent },
    });
    expect(started.headers.get('trace-id')).toBe(hex);
    await finishedRun(root, started.body.id);
    const [run] = await svc.sql<{ jobId: string; traceId: string }>(
      `select job_id as "jobId", trace_id as "traceId" from svc.runs where id = $1`,
      [started.body.id],
    );
    expect(run?.traceId).toBe(traceId);
    const { body: job } = await root.get(`/warp/api/jobs/${run?.jobId}`);
    expect(job.traceId).toBe(traceId);
    expect(job.origin).toMatchObject({
      id: null,
      endpointId: null,
      method: 'POST',
      routeTemplate: '/svc/api/subscriptions/{id}/test-run',
      userName: (await root.get('/svc/api/auth/me')).body.userName,
    });
    expect(await svc.sql('select from svc_jobs.endpoint_call_log')).toEqual([]);
  },
);
