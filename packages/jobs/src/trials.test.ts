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
    });
    expect(report.enqueued).toBeGreaterThan(0);
    expect(report.runs).toBeGreaterThanOrEqual(report.enqueued / 2);
  }, 240_000);
});

describe('exactly one firing', () => {
  it('fires each second once with three processes of which one is killed on the way', async () => {
    fixture = await createFixture();
    const report = await runTickTrial({
      connection: fixture.database.connection,
      ticks: 6,
      killEveryTicks: 3,
    });
    expect(report).toMatchObject({ doubled: 0, missing: 0 });
    expect(report.ticks).toBeGreaterThanOrEqual(6);
  }, 120_000);
});
