import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const source = pathToFileURL(path.join(import.meta.dirname, 'fast-ticks.ts')).href;

/** Processor time of a tick after full collections, as a multiple of that before: the best of a few tries each. */
const script = `
const { keepTicksFast } = await import(${JSON.stringify(source)});
keepTicksFast();
keepTicksFast();
const nothing = () => {};
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function cost() {
  let best = Infinity;
  for (let round = 0; round < 6; round += 1) {
    const before = process.threadCpuUsage();
    for (let at = 0; at < 1_000; at += 1) {
      for (let tick = 0; tick < 50; tick += 1) process.nextTick(nothing);
      await turn();
    }
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}
await cost();
const fresh = await cost();
for (let round = 0; round < 3; round += 1) {
  await new Promise((resolve) => setTimeout(() => { gc(); resolve(); }, 20));
}
await cost();
process.stdout.write(String((await cost()) / fresh));
`;

describe('process.nextTick', () => {
  it('is as fast after full collections as before them', async () => {
    const { stdout } = await run(process.execPath, [
      '--expose-gc',
      '--conditions=svc-source',
      '--input-type=module',
      '--eval',
      script,
    ]);
    // Four to six times as long without.
    expect(Number(stdout)).toBeLessThan(2.5);
  });
});
