import { describe, expect, test } from 'vitest';
import { startRunWorld } from '../../../../../tools/test/run-world.ts';
import { killRuns } from '../../../../../tools/test/runs/kill-trial.ts';
import { tickRuns } from '../../../../../tools/test/runs/tick-trial.ts';

describe('crash safety', () => {
  test('no run is lost when its process is killed, and nobody is sent a run twice', async () => {
    const world = await startRunWorld({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 100 });
    try {
      const report = await killRuns(world, { kills: 2 });
      expect(report).toMatchObject({
        runs: 8,
        lostRuns: 0,
        sentTwice: 0,
        sentTwiceUnexplained: 0,
        unrecorded: 0,
        neverArrived: 0,
      });
    } finally {
      await world.close();
    }
  }, 120_000);
});

describe('exactly one run', () => {
  test('a due time makes one run and one delivery with two processes on one database', async () => {
    const config = { 'Svc:Jobs:Workers': 0, 'Svc:Subscriptions:MinimumIntervalSeconds': 1 };
    const world = await startRunWorld({ config });
    try {
      const report = await tickRuns(world, { ticks: 10 });
      expect(report).toMatchObject({ doubled: 0, missing: 0, sent: report.runs, arrived: report.runs });
      expect(report.runs).toBeGreaterThanOrEqual(10);
    } finally {
      await world.close();
    }
  }, 120_000);
});
