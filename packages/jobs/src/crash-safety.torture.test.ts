import { afterEach, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from './testing/fixture.ts';
import { runKillTrial } from './testing/kill-trial.ts';
import { runTickTrial } from './testing/tick-trial.ts';

let fixture: Fixture;
afterEach(() => fixture.close());

describe('crash safety', () => {
  it('loses no job when processes are killed at random moments, and repeats only what it says', async () => {
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

describe('a process that hangs', () => {
  it('loses its jobs to another, and what it does when it goes on changes nothing', async () => {
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

describe('exactly one firing', () => {
  it('fires each second once with three processes of which one is killed on the way, whatever their clocks say', async () => {
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
