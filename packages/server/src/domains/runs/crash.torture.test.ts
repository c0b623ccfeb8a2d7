import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { describe, expect, test } from 'vitest';
import { killRuns } from '../../../../../tools/test/runs/kill-trial.ts';
import { startWorker, type WorkerProcess } from '../../../../../tools/test/runs/start-worker.ts';
import { tickRuns } from '../../../../../tools/test/runs/tick-trial.ts';
import { workerValues } from '../../../../../tools/test/runs/worker-values.ts';

describe('crash safety', () => {
  test('no run is lost when its process is killed, and no recipient gets a run twice', async () => {
    const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 100 });
    try {
      const report = await killRuns(fixture, { kills: 2 });
      expect(report).toMatchObject({
        runs: 8,
        lostRuns: 0,
        wrongTotals: 0,
        sentTwice: 0,
        sentTwiceUnexplained: 0,
        unrecorded: 0,
        neverArrived: 0,
      });
    } finally {
      await fixture.close();
    }
  }, 240_000);
});

describe('a run whose process ends while attempts are queued', () => {
  /** More than the number of concurrent and waiting sends: some are in progress, some wait, some have not started. */
  const recipientCount = 90;

  const endedMidway = async (end: (worker: WorkerProcess) => Promise<void>) => {
    const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 500 });
    try {
      const { connection } = fixture.svc.testDatabase;
      const settings = { connection, values: workerValues(fixture.sink.settings), leaseMs: 1_500 };
      const paths = new Map<number, string>();
      for (let index = 0; index < recipientCount; index += 1)
        paths.set(await fixture.addRecipient(`/midway/${index}`), `/midway/${index}`);
      const queryId = await fixture.addQuery('select id from orders');
      const recipientIds = [...paths.keys()];
      const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
      const first = await startWorker(settings);
      const running = fixture.runNow(id);
      await until('the first turns to be taken', async () =>
        fixture.sink.received.length >= 50 ? true : undefined,
      );
      await end(first);
      const second = await startWorker(settings);
      const run = await running;
      await second.stop();
      const arrivals = Map.groupBy(fixture.sink.received, ({ path }) => path);
      return run.deliveries.map(({ recipientId, state }) => ({
        state: String(state),
        arrivals: arrivals.get(paths.get(recipientId) ?? '')?.length ?? 0,
      }));
    } finally {
      await fixture.close();
    }
  };

  test('killed: attempts in progress become Unknown, and all other messages are sent exactly once', async () => {
    const attempts = await endedMidway((worker) => worker.kill());
    expect(attempts).toHaveLength(recipientCount);
    expect(attempts.filter(({ arrivals }) => arrivals > 1)).toEqual([]);
    expect(attempts.filter(({ state, arrivals }) => state !== 'Unknown' && arrivals !== 1)).toEqual([]);
    const unknown = attempts.filter(({ state }) => state === 'Unknown');
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.length).toBeLessThanOrEqual(75);
  }, 240_000);

  test('stopped gracefully: every message arrives once, and only attempts in progress become Unknown', async () => {
    const attempts = await endedMidway((worker) => worker.stop());
    expect(attempts).toHaveLength(recipientCount);
    expect(attempts.filter(({ arrivals }) => arrivals !== 1)).toEqual([]);
    expect(attempts.filter(({ state }) => state === 'Unknown').length).toBeLessThanOrEqual(50);
    expect(new Set(attempts.map(({ state }) => state))).toContain('Sent');
  }, 240_000);
});

describe('one run per due time', () => {
  test('a due time creates one run and one delivery with two processes on one database', async () => {
    const config = { 'Svc:Jobs:Workers': 0, 'Svc:Subscriptions:MinimumIntervalSeconds': 1 };
    const fixture = await startRunFixture({ config });
    try {
      const report = await tickRuns(fixture, { ticks: 10 });
      expect(report).toMatchObject({
        doubled: 0,
        doubledJobs: 0,
        offSchedule: 0,
        doubledMessages: 0,
        missing: 0,
        sent: report.runs,
        arrived: report.runs,
      });
      expect(report.runs).toBeGreaterThanOrEqual(10);
    } finally {
      await fixture.close();
    }
  }, 240_000);
});
