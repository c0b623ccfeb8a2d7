import { expect, test } from 'vitest';
import { runKillTrial } from './testing/kill-trial.ts';

/** `trials/migration/kill.ts` makes 200. */
const kills = 12;

test('copies whose service, source or destination is killed leave the destination as before or as after', async () => {
  const report = await runKillTrial({ kills, rows: 20_000 });
  expect(report).toMatchObject({
    kills: { service: 4, source: 4, destination: 4 },
    ...{ torn: [], doubled: [], unknown: [], leftovers: [] },
  });
  // A kill before or after all copies shows nothing: some are not such.
  expect(report.inMidst).toBeGreaterThan(0);
  expect(report.completed).toBeGreaterThanOrEqual(kills);
}, 900_000);
