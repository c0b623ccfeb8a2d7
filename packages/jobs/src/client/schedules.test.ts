import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSchedule } from '../cron/parse-schedule.ts';
import { planTicks } from '../engine/upkeep/scheduler.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import { defineJob } from './declare.ts';

let fixture: Fixture;
let sequence = 0;
const uniqueName = (): string => `schedule-${++sequence}`;
const parse = (value: unknown) => value;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

describe('schedules', () => {
  it('fires each due time once with three processes, and passes the due time to the handler', async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    const fired: string[] = [];
    const processes = [1, 2, 3].map(() => fixture.jobs());
    for (const jobs of processes) {
      jobs.handle(job, (_payload, run) => {
        expect(run.scheduleKey).toBe(name);
        fired.push(run.slotAt?.toISOString() ?? '');
      });
    }
    await Promise.all(processes.map((jobs) => jobs.start()));
    await processes[0]?.schedules.put(fixture.pool, { key: name, cron: '* * * * * *', job, payload: null });
    await eventually(() => fired.length >= 4);
    const ticks = (await processes[0]?.schedules.ticks(name))?.toReversed() ?? [];
    await processes[0]?.schedules.remove(fixture.pool, name);
    expect(new Set(fired).size).toBe(fired.length);
    expect(ticks.length).toBeGreaterThanOrEqual(4);
    // Ticks are one second apart. On a busy machine the next tick counts the missed ones.
    for (const [at, { dueAt, missedCount }] of ticks.entries()) {
      const before = ticks[at - 1];
      if (before) expect(dueAt.getTime() - before.dueAt.getTime()).toBe(1_000 * (1 + missedCount));
    }
  });

  it("writes the schedule in the caller's transaction", async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    const jobs = fixture.jobs();
    const client = await fixture.pool.connect();
    await client.query('begin');
    await jobs.schedules.put(client, { key: name, cron: '0 8 * * *', job, payload: { a: 1 } });
    await client.query('rollback');
    client.release();
    expect(await jobs.schedules.get(name)).toBeNull();
  });

  it('retains the next due time if the schedule is unchanged, and recomputes it if the expression changes', async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    // In the future, so that the processes of the other tests do not fire it.
    let now = new Date('2096-01-05T10:00:00Z');
    const jobs = fixture.jobs({ clock: () => now });
    const put = (cron: string, enabled = true) =>
      jobs.schedules.put(fixture.pool, {
        key: name,
        cron,
        timeZone: 'Europe/Berlin',
        job,
        payload: null,
        enabled,
      });
    const nextDue = async () => (await jobs.schedules.get(name))?.nextDueAt?.toISOString();
    await put('0 8 * * *');
    expect(await nextDue()).toBe('2096-01-06T07:00:00.000Z');
    now = new Date('2096-01-06T10:00:00Z');
    await put('0 8 * * *');
    expect(await nextDue()).toBe('2096-01-06T07:00:00.000Z');
    await put('0 9 * * *');
    expect(await nextDue()).toBe('2096-01-07T08:00:00.000Z');
    await put('0 9 * * *', false);
    expect(await nextDue()).toBeUndefined();
    expect(await jobs.schedules.setEnabled(fixture.pool, name, true)).toBe(true);
    expect(await nextDue()).toBe('2096-01-07T08:00:00.000Z');
    expect(await jobs.schedules.remove(fixture.pool, name)).toBe(true);
    expect(await jobs.schedules.remove(fixture.pool, name)).toBe(false);
  });

  it('refuses a bad expression, time zone or payload before it writes', async () => {
    const name = uniqueName();
    const job = defineJob<number>({
      name,
      parse: (value) => {
        if (typeof value !== 'number') throw new Error('not a number');
        return value;
      },
    });
    const { schedules } = fixture.jobs();
    const put = (cron: string, timeZone: string, payload: number) =>
      schedules.put(fixture.pool, { key: name, cron, timeZone, job, payload });
    await expect(put('0 25 * * *', 'UTC', 1)).rejects.toThrow(/hour field/);
    await expect(put('0 5 * * *', 'Nowhere', 1)).rejects.toThrow(/time zone/);
    await expect(put('0 5 * * *', 'UTC', Number.NaN)).rejects.toThrow(/not a number/);
    expect(await schedules.get(name)).toBeNull();
  });

  it('fires once for the newest due time after an outage, and counts the missed times', async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    const other = defineJob<unknown>({ name: `${name}-other`, queue: name, parse });
    const jobs = fixture.jobs();
    const dueTimes: number[] = [];
    jobs.handle(job, (_payload, run) => void dueTimes.push(run.slotAt?.getTime() ?? 0));
    jobs.handle(other, () => undefined);
    await jobs.schedules.put(fixture.pool, { key: name, cron: '* * * * *', job, payload: null });
    await fixture.pool.query(
      `update svc_jobs.schedule set next_due_at = date_trunc('minute', now()) - interval '30 min' where key = $1`,
      [name],
    );
    await jobs.start();
    await eventually(() => dueTimes.length > 0);
    // A new minute may have begun, with a separate tick.
    const ticks = await jobs.schedules.ticks(name);
    expect(ticks.find((tick) => tick.dueAt.getTime() === dueTimes[0])?.missedCount).toBeGreaterThanOrEqual(
      30,
    );
    expect(dueTimes).toEqual(dueTimes.map((_, minutes) => (dueTimes[0] ?? 0) + minutes * 60_000));
    await jobs.schedules.remove(fixture.pool, name);
  });

  it('never fires the same due time twice, even if the schedule is set back', async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    const jobs = fixture.jobs();
    jobs.handle(job, () => undefined);
    await jobs.schedules.put(fixture.pool, { key: name, cron: '0 0 1 1 *', job, payload: null });
    const due = new Date(Date.now() - 1_000);
    const setBack = () =>
      fixture.pool.query('update svc_jobs.schedule set next_due_at = $2 where key = $1', [name, due]);
    await setBack();
    await jobs.start();
    const movedOn = () =>
      eventually(async () => ((await jobs.schedules.get(name))?.nextDueAt?.getTime() ?? 0) > Date.now());
    await movedOn();
    await setBack();
    await jobs.schedules.setEnabled(fixture.pool, name, true);
    await movedOn();
    const { rows } = await fixture.pool.query('select from svc_jobs.job where schedule_key = $1', [name]);
    expect(rows).toHaveLength(1);
    await jobs.schedules.remove(fixture.pool, name);
  });

  it('skips a tick while an earlier job has not ended, if overlap is Skip', async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    const jobs = fixture.jobs();
    const release = Promise.withResolvers<void>();
    let runs = 0;
    jobs.handle(job, async () => {
      runs += 1;
      await release.promise;
    });
    await jobs.start();
    await jobs.schedules.put(fixture.pool, {
      key: name,
      cron: '* * * * * *',
      job,
      payload: null,
      overlap: 'Skip',
    });
    await eventually(
      async () => (await jobs.schedules.ticks(name)).filter((tick) => tick.jobId === null).length >= 2,
    );
    expect(runs).toBe(1);
    release.resolve();
    await eventually(() => runs > 1);
    await jobs.schedules.remove(fixture.pool, name);
  });

  it('fires manually even when disabled, and does not change the schedule', async () => {
    const name = uniqueName();
    const job = defineJob<unknown>({ name, queue: name, parse });
    const jobs = fixture.jobs();
    const payloads: unknown[] = [];
    jobs.handle(job, (payload) => void payloads.push(payload));
    await jobs.start();
    await jobs.schedules.put(fixture.pool, {
      key: name,
      cron: '0 8 * * *',
      job,
      payload: { x: 1 },
      enabled: false,
    });
    const before = await jobs.schedules.get(name);
    expect(await jobs.schedules.trigger(fixture.pool, name)).toEqual({ jobId: expect.any(String) });
    await eventually(() => payloads.length === 1);
    expect(payloads).toEqual([{ x: 1 }]);
    expect(await jobs.schedules.get(name)).toEqual(before);
    expect(await jobs.schedules.trigger(fixture.pool, 'no such key')).toBeNull();
  });
});

describe('planTicks', () => {
  const parsed = parseSchedule('* * * * * *');
  const at = (text: string) => new Date(`2026-01-05T10:${text}Z`);
  const plan = (dueAt: Date, now: Date) =>
    planTicks({ key: 'k', cron: parsed.cron, timeZone: 'UTC', dueAt, now }, parsed);

  it('fires every tick of a schedule that is late by up to ten seconds', () => {
    const ticks = plan(at('00:01'), at('00:03.5'));
    expect(ticks.map((tick) => tick.dueAt)).toEqual([at('00:01'), at('00:02'), at('00:03')]);
    expect(ticks.map((tick) => tick.followingAt)).toEqual([at('00:02'), at('00:03'), at('00:04')]);
    expect(ticks.map((tick) => tick.missedCount)).toEqual([0, 0, 0]);
  });

  it('fires once if the schedule is later, and continues after the current time', () => {
    const ticks = plan(at('00:01'), at('00:30.2'));
    expect(ticks).toMatchObject([
      { stoodAt: at('00:01'), dueAt: at('00:30'), followingAt: at('00:31'), missedCount: 29 },
    ]);
  });

  it('fires the stored due time even if it does not match the expression', () => {
    const yearly = parseSchedule('0 0 1 1 *');
    const due = { key: 'k', cron: yearly.cron, timeZone: 'UTC', dueAt: at('00:01'), now: at('00:02') };
    expect(planTicks(due, yearly)).toMatchObject([{ dueAt: at('00:01'), missedCount: 0 }]);
  });
});
