import { expect, test } from 'vitest';
import { runKillTrial } from './testing/kill-trial.ts';

/** The longer trial `trials/migration/kill.ts` makes 200. */
const kills = 12;

test('copies whose service, source or destination is killed leave the destination in the state before or after the copy', async () => {
  const report = await runKillTrial({ kills, rows: 20_000 });
  expect(report).toMatchObject({
    kills: { service: 4, source: 4, destination: 4 },
    torn: [],
    doubled: [],
    unknown: [],
    leftovers: [],
  });
  // Kills before the first or after the last copy prove nothing, so some kills must hit a running copy.
  expect(report.inMidst).toBeGreaterThan(0);
  expect(report.completed).toBeGreaterThanOrEqual(kills);
}, 900_000);
