import { afterEach, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from './testing/fixture.ts';
import { runKillTrial } from './testing/kill-trial.ts';
import { runTickTrial } from './testing/tick-trial.ts';

let fixture: Fixture;
afterEach(() => fixture.close());

describe('crash safety', () => {
  it('loses no job when processes are killed at random moments, and runs are repeated only as documented', async () => {
    fixture = await createFixture();
    const sweepIntervalMs = 300;
    const report = await runKillTrial({
      connection: fixture.database.connection,
      kills: 6,
      leaseMs: 1_000,
      sweepIntervalMs,
    });
    expect(report).toMatchObject({
      kills: 6,
      lost: 0,
      wrongEffects: 0,
      unexplainedRuns: 0,
      unrecordedRuns: 0,
      doubledClaims: 0,
      illegalHistories: 0,
    });
    expect(report.enqueued).toBeGreaterThan(0);
    expect(report.runs).toBeGreaterThanOrEqual(report.enqueued / 2);
  }, 240_000);
});

describe('a hanging process', () => {
  it('loses its jobs to another process, and its later reports change nothing', async () => {
    fixture = await createFixture();
    const report = await runKillTrial({
      connection: fixture.database.connection,
      kills: 3,
      freezes: true,
      leaseMs: 1_000,
      sweepIntervalMs: 300,
    });
    expect(report).toMatchObject({
      lost: 0,
      wrongEffects: 0,
      unexplainedRuns: 0,
      unrecordedRuns: 0,
      doubledClaims: 0,
      illegalHistories: 0,
    });
    expect(report.recoveries).toBeGreaterThan(0);
  }, 240_000);
});

describe('schedules with killed processes and wrong clocks', () => {
  it('fire each second exactly once with three processes', async () => {
    fixture = await createFixture();
    const report = await runTickTrial({
      connection: fixture.database.connection,
      ticks: 6,
      killEveryTicks: 3,
      clockJumpMs: 3_600_000,
    });
    expect(report).toMatchObject({ doubled: 0, movedSlots: 0, missing: 0 });
    expect(report.ticks).toBeGreaterThanOrEqual(6);
  }, 240_000);
});
