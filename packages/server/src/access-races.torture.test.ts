import { expect, test } from 'vitest';
import { raceActs, runAccessRaces } from '../../../tools/test/attacks/access-races.ts';

/** A few in every test run; `trials/access/races.ts` requests a thousand. */
const count = Number(process.env['SVC_RACES'] ?? raceActs.length);
const msPerRaceMax = 5_000;

/** Default interval of session checks. */
const intervalMinutes = 5;

test(
  `revoked access ends immediately on the replica that revokes it, though sessions are checked every ${intervalMinutes} minutes: ${count} races`,
  async () => {
    expect(await runAccessRaces(count, intervalMinutes)).toEqual([]);
  },
  30_000 + count * msPerRaceMax,
);

test(
  `revoked access ends with the next request on both replicas, despite concurrent requests: ${count} races`,
  async () => {
    expect(await runAccessRaces(count)).toEqual([]);
  },
  30_000 + count * msPerRaceMax,
);
