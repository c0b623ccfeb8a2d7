import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  medianDifference,
  medianOf,
  refusals,
  timeRefusals,
  welchT,
} from '../../../tools/test/attacks/sign-in-timing.ts';

/** A few in every test run; `trials/access/timing.ts` requests some hundreds and shows the figures. */
const tries = process.env['SVC_TIMING_TRIES'];
const count = Number(tries ?? 6);
/** Few tries show only coarse differences, so the older hashes are much cheaper then. */
const scale =
  tries === undefined ? { iterations: 250_000, warmUps: 1 } : { iterations: 120_000, warmUps: 12 };
const report = process.env['SVC_TIMING_REPORT'];
const msPerTryMax = 2_000;
/**
 * Far below the cost of one hash. The minimum of a few tries is compared, because a busy machine only increases
 * processor time.
 */
const shareMax = 0.5;

test(
  `a refused sign-in takes the same time for every cause: ${count} of each`,
  async () => {
    const timings = await timeRefusals(count, scale);
    const cpu = (kind: (typeof refusals)[number]) => timings[kind].map(({ cpuMs }) => cpuMs);
    const wall = (kind: (typeof refusals)[number]) => timings[kind].map(({ wallMs }) => wallMs);
    const unknown = Math.min(...cpu('unknown user'));
    const rows = refusals.map((kind) => ({
      kind,
      cpuMinMs: Math.min(...cpu(kind)),
      cpuMs: medianOf(cpu(kind)),
      wallMs: medianOf(wall(kind)),
      cpuT: welchT(cpu(kind), cpu('unknown user')),
      wallT: welchT(wall(kind), wall('unknown user')),
      cpuMedianDifferenceMs: medianDifference(cpu(kind), cpu('unknown user')),
      wallMedianDifferenceMs: medianDifference(wall(kind), wall('unknown user')),
    }));
    if (report !== undefined) writeFileSync(report, JSON.stringify({ count, rows }, null, 2));
    expect(rows.filter(({ cpuMinMs }) => Math.abs(cpuMinMs / unknown - 1) > shareMax)).toEqual([]);
  },
  60_000 + count * refusals.length * msPerTryMax,
);
