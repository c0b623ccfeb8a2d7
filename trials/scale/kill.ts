import { runAtScale } from '../../tools/test/runs/scale-trial.ts';
import { withRunFixture } from '../runs/own-fixture.ts';

/**
 * `node --conditions=svc-source trials/scale/kill.ts [subscriptions] [everySeconds] [seconds]`: runs 10,000
 * subscriptions for four minutes, each due every three minutes, on three processes. One of them is killed every ten
 * seconds.
 */
const [subscriptions = 10_000, everySeconds = 180, seconds = 240] = process.argv.slice(2).map(Number);
const report = await withRunFixture('scale', { config: { 'Svc:Jobs:Workers': 0 } }, (fixture) =>
  runAtScale(fixture, {
    subscriptions,
    everySeconds,
    seconds,
    killsMin: 3,
    replicas: 3,
    killEverySeconds: 10,
    tellsEvery: 50,
    onProgress: (line) => console.log(line),
  }),
);
console.log(JSON.stringify(report, null, 2));
const { missed, passedOver, doubled, unexpected, unended, wrong, toldTwice, recordedMissed } = report;
const faults = missed + passedOver + doubled + unexpected + unended + wrong + toldTwice + recordedMissed;
process.exitCode = faults === 0 ? 0 : 1;
