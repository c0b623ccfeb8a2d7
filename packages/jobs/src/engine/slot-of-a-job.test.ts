import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const parse = (value: unknown) => value;
const yearly = '0 0 1 1 *';

/** Creates a schedule whose handler fails at its first attempt, and records the values of each attempt. */
async function failingOnce(name: string) {
  const retry = { attemptsMax: 2, delaysMs: [1] };
  const job = defineJob<unknown>({ name, queue: name, retry, parse });
  const seen: { jobId: string; slotAt: string | undefined }[] = [];
  const jobs = fixture.jobs({ leaseMs: 1_000, heartbeatMs: 300, sweepIntervalMs: 100 });
  jobs.handle(job, (_payload, { jobId, slotAt }) => {
    seen.push({ jobId, slotAt: slotAt?.toISOString() });
    if (seen.length === 1) throw new Error('The first attempt fails.');
  });
  await jobs.schedules.put(fixture.pool, { key: name, cron: yearly, job, payload: null });
  await jobs.start();
  const { rows } = await fixture.pool.query(
    `update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', now()) where key = $1 returning next_due_at as at`,
    [name],
  );
  const slotAt: string = rows[0].at.toISOString();
  const ended = (attempts: number) =>
    eventually(async () => {
      const { rows: completedRows } = await fixture.pool.query(
        "select id from svc_jobs.job where schedule_key = $1 and state = 'Completed'",
        [name],
      );
      return seen.length >= attempts && completedRows[0]?.id;
    });
  return { jobs, seen, slotAt, ended };
}

describe('the slot of a job', () => {
  it('is the due time of its tick at every retry, requeue and recovery', async () => {
    const { jobs, seen, slotAt, ended } = await failingOnce('same-slot');
    const jobId: string = await ended(2);
    await jobs.requeue(fixture.pool, jobId);
    await ended(3);
    // State after the death of a worker. The sweep recovers the job.
    await fixture.pool.query(
      `update svc_jobs.job set state = 'Processing', finished_at = null, due_at = due_at + interval '1 second',
         lease_until = now() - interval '1 minute' where id = $1`,
      [jobId],
    );
    await ended(4);
    expect(seen).toEqual([1, 2, 3, 4].map(() => ({ jobId, slotAt })));
    expect((await jobs.get(jobId))?.slotAt?.toISOString()).toBe(slotAt);
  });

  it('exists for jobs with a concurrency key, too', async () => {
    const concurrency = { limit: 1, key: () => 'the only one' };
    const job = defineJob<unknown>({ name: 'slot-in-turn', queue: 'slot-in-turn', concurrency, parse });
    const slots: (Date | null)[] = [];
    const jobs = fixture.jobs();
    jobs.handle(job, (_payload, { slotAt }) => void slots.push(slotAt));
    await jobs.schedules.put(fixture.pool, { key: 'slot-in-turn', cron: yearly, job, payload: null });
    await jobs.start();
    await jobs.schedules.trigger(fixture.pool, 'slot-in-turn');
    await eventually(() => slots.length === 1);
    const { rows } = await fixture.pool.query(
      "select slot_at from svc_jobs.job where schedule_key = 'slot-in-turn'",
    );
    expect(rows).toEqual([{ slot_at: slots[0] }]);
    expect(slots[0]).toBeInstanceOf(Date);
  });

  it('is null for a job without a schedule', async () => {
    const job = defineJob<unknown>({ name: 'no-slot', queue: 'no-slot', parse });
    const slots: unknown[] = [];
    const jobs = fixture.jobs();
    jobs.handle(job, (_payload, { slotAt }) => void slots.push(slotAt));
    await jobs.start();
    await jobs.enqueue(jobs.executor, job, null);
    await eventually(() => slots.length === 1);
    expect(slots).toEqual([null]);
  });
});

describe('the schema for slots', () => {
  const insert = (columns: string, values: string) =>
    fixture.pool.query(
      `insert into svc_jobs.job (id, trace_id, created_at, due_at, state, name, queue, ${columns})
        values (gen_random_uuid(), gen_random_uuid(), now(), '2030-01-01', 'Completed', 'n', 'q', ${values})
        returning id, slot_at`,
    );

  it('refuses every statement that changes a slot', async () => {
    const { rows } = await insert('schedule_key, slot_at', "'s', '2030-01-01'");
    const change = (slot: string) =>
      fixture.pool.query(`update svc_jobs.job set slot_at = ${slot} where id = $1`, [rows[0].id]);
    await expect(change('now()')).rejects.toThrow('The slot of a job never changes.');
    await expect(change('null')).rejects.toThrow('The slot of a job never changes.');
  });

  it('sets the slot of scheduled jobs from a process with the previous version', async () => {
    const { rows } = await insert('schedule_key', "'s'");
    expect(rows).toEqual([{ id: expect.any(String), slot_at: new Date('2030-01-01') }]);
    const other = await insert('kind', "'Job'");
    expect(other.rows[0].slot_at).toBeNull();
  });
});

describe('statements of the library', () => {
  const source = path.resolve(import.meta.dirname, '..');
  /** Matches assignments, whose column has no table name: `set slot_at = …` or `set (a, slot_at) = …`. */
  const assignment = /(?<![\w.])slot_at\s*(?:,[^()]*)?\)?\s*(?<![<>!:])=(?!>)/;

  it('assign a slot only at the insertion', async () => {
    const files = (await readdir(source, { recursive: true })).filter((name) => /\.(ts|sql)$/.test(name));
    const assigning: string[] = [];
    for (const name of files.filter((file) => !file.includes('.test.')))
      if (assignment.test(await readFile(path.join(source, name), 'utf8'))) assigning.push(name);
    // This migration fills the new column of stored rows.
    expect(assigning).toEqual(['migrations/0013-slot-of-a-job.sql']);
    expect(files.length).toBeGreaterThan(50);
  });

  it.each([
    'update j set slot_at = now()',
    'update j set (due_at, slot_at) = (now(), now())',
    'on conflict (id) do update set state = 1, slot_at=excluded.slot_at',
  ])('are detected if they assign a slot: %s', (text) => {
    expect(assignment.test(text)).toBe(true);
  });

  it('do not count as assignments if they only read a slot', () => {
    expect(assignment.test('where j.slot_at = $1')).toBe(false);
    expect(assignment.test('insert into j (slot_at, payload) select s.slot_at, 1')).toBe(false);
  });
});
