import { describe, expect, test } from 'vitest';
import { startRunWorld, until } from '../../../../../tools/test/run-world.ts';
import { killRuns } from '../../../../../tools/test/runs/kill-trial.ts';
import { startWorker, type WorkerProcess } from '../../../../../tools/test/runs/start-worker.ts';
import { tickRuns } from '../../../../../tools/test/runs/tick-trial.ts';
import { workerValues } from '../../../../../tools/test/runs/worker-values.ts';

describe('crash safety', () => {
  test('no run is lost when its process is killed, and nobody is sent a run twice', async () => {
    const world = await startRunWorld({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 100 });
    try {
      const report = await killRuns(world, { kills: 2 });
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
      await world.close();
    }
  }, 240_000);
});

describe('a run whose process ends while attempts wait for their turn', () => {
  /** More than send at once and wait: some are under way, some wait, some are not begun. */
  const recipientCount = 90;

  const endedMidway = async (end: (worker: WorkerProcess) => Promise<void>) => {
    const world = await startRunWorld({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 500 });
    try {
      const { connection } = world.svc.testDatabase;
      const settings = { connection, values: workerValues(world.sink.settings), leaseMs: 1_500 };
      const paths = new Map<number, string>();
      for (let index = 0; index < recipientCount; index += 1)
        paths.set(await world.addRecipient(`/midway/${index}`), `/midway/${index}`);
      const queryId = await world.addQuery('select id from orders');
      const recipientIds = [...paths.keys()];
      const { id } = await world.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
      const first = await startWorker(settings);
      const running = world.runNow(id);
      await until('the first turns to be taken', async () =>
        world.sink.received.length >= 50 ? true : undefined,
      );
      await end(first);
      const second = await startWorker(settings);
      const run = await running;
      await second.stop();
      const arrivals = Map.groupBy(world.sink.received, ({ path }) => path);
      return run.deliveries.map(({ recipientId, state }) => ({
        state: String(state),
        arrivals: arrivals.get(paths.get(recipientId) ?? '')?.length ?? 0,
      }));
    } finally {
      await world.close();
    }
  };

  test('killed: what was begun is Unknown, sent or not, and the others are sent once', async () => {
    const made = await endedMidway((worker) => worker.kill());
    expect(made).toHaveLength(recipientCount);
    expect(made.filter(({ arrivals }) => arrivals > 1)).toEqual([]);
    expect(made.filter(({ state, arrivals }) => state !== 'Unknown' && arrivals !== 1)).toEqual([]);
    const unknown = made.filter(({ state }) => state === 'Unknown');
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.length).toBeLessThanOrEqual(75);
  }, 240_000);

  test('stopped in good order: only what was on its way is Unknown', async () => {
    const made = await endedMidway((worker) => worker.stop());
    expect(made).toHaveLength(recipientCount);
    expect(made.filter(({ arrivals }) => arrivals !== 1)).toEqual([]);
    expect(made.filter(({ state }) => state === 'Unknown').length).toBeLessThanOrEqual(50);
    expect(new Set(made.map(({ state }) => state))).toContain('Sent');
  }, 240_000);
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
  }, 240_000);
});
