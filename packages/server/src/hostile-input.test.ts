import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { walkHostileInput } from '../../../tools/test/attacks/hostile-input.ts';

/** `trials/input/walk.ts` runs the thorough variant. */
const isThorough = process.env['SVC_HOSTILE_INPUT'] === 'thorough';
const report = process.env['SVC_HOSTILE_INPUT_REPORT'];

test(
  'no operation fails for text or numbers that no column can store',
  async () => {
    const walked = await walkHostileInput({ isThorough });
    if (report !== undefined) writeFileSync(report, JSON.stringify(walked, null, 2));
    expect(walked.faults).toEqual([]);
    expect(walked.operations).toBeGreaterThan(120);
    expect(walked.requests).toBeGreaterThan(isThorough ? 10_000 : 2_000);
    // Some input reaches a service, and some is refused for its content.
    expect(walked.byStatus['200']).toBeGreaterThan(0);
    expect(walked.byStatus['400']).toBeGreaterThan(500);
  },
  isThorough ? 1_800_000 : 120_000,
);
