import { createJobs } from '@svc/jobs';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';

/** Waits until `signalCount` signals are stored, then runs the learning job to its end. */
export async function learn({ svc, root, projectId }: DeliveryFixture, signalCount: number): Promise<void> {
  await until('signals', async () => {
    const { body } = await root.get(`/svc/api/mcp/learning-stats?projectId=${projectId}`);
    return body.totalSignals >= signalCount || undefined;
  });
  const jobs = createJobs({ pool: svc.database });
  const started = await jobs.schedules.trigger(jobs.executor, 'maintenance:learn-from-use');
  await until('the end of learning', async () => {
    const [job] = await svc.sql<{ state: string }>('select state from svc_jobs.job where id = $1', [
      started?.jobId,
    ]);
    return job?.state === 'Completed' || undefined;
  });
}
