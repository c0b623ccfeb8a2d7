import { killRuns } from '../../tools/test/runs/kill-trial.ts';
import { withRunFixture } from './own-fixture.ts';

/** `node --conditions=svc-source trials/runs/kill.ts [kills]`: kills a worker during runs by SIGKILL, 20 times by default. */
const kills = Number(process.argv[2] ?? 20);
const options = { config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 150 };
const report = await withRunFixture('runs-kill', options, (fixture) =>
  killRuns(fixture, { kills, onKill: (count) => count % 5 === 0 && console.log(`${count} kills`) }),
);
console.log(JSON.stringify(report, null, 2));
const { wrongTotals, lostRuns, sentTwiceUnexplained, unrecorded, neverArrived } = report;
process.exitCode = wrongTotals + lostRuns + sentTwiceUnexplained + unrecorded + neverArrived === 0 ? 0 : 1;
