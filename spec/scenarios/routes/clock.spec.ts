import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-1162', 'RT-4.3-1163'],
  'after the clock of the database was set back, schedules continue and an Admin gets a notice',
  async ({ deliver }) => {
    const { svc, root } = await deliver();
    // Schedules as a clock stores them that is one hour ahead.
    await svc.sql(`update svc_jobs.schedule set last_due_at = coalesce(last_due_at, now()) + interval '1 hour',
      next_due_at = next_due_at + interval '1 hour'`);
    const ticks = async () =>
      (
        await svc.sql(`select from svc_jobs.schedule_tick where fired_at > now() - interval '1 minute'
        and schedule_key = 'maintenance:send-heartbeat'`)
      ).length;
    const before = await ticks();
    await expect.poll(ticks, { timeout: 60_000 }).toBeGreaterThan(before);
    const notices = async () => (await root.get('/svc/api/notices')).body.items;
    await expect
      .poll(notices, { timeout: 60_000 })
      .toMatchObject([{ kind: 'ClockSetBack', subjectKind: 'Settings', subjectId: null }]);
  },
);
