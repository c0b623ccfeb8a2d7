import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { expect, onTestFinished, test } from 'vitest';
import { runAtScale } from '../../../../../tools/test/runs/scale-trial.ts';

test('every due time of 300 subscriptions runs once on three processes, one of which is killed repeatedly', async () => {
  const fixture = await startRunFixture({
    config: { 'Svc:Jobs:Workers': 0, 'Svc:Subscriptions:MinimumIntervalSeconds': 1 },
  });
  onTestFinished(() => fixture.close());
  const report = await runAtScale(fixture, {
    subscriptions: 300,
    everySeconds: 30,
    seconds: 15,
    killsMin: 2,
    replicas: 3,
    killEverySeconds: 4,
    tellsEvery: 10,
  });
  // 10 per second.
  expect(report.due).toBeGreaterThanOrEqual(140);
  expect(report).toMatchObject({
    missed: 0,
    doubled: 0,
    unexpected: 0,
    unended: 0,
    wrong: 0,
    toldTwice: 0,
    recordedMissed: 0,
  });
}, 600_000);
