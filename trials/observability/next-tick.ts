import { keepTicksFast } from '../../packages/jobs/src/engine/fast-ticks.ts';

/**
 * `node --expose-gc --conditions=svc-source trials/observability/next-tick.ts [without]`: processor time of a call of
 * `process.nextTick` after full garbage collections, as a multiple of that before. `without`: the way Node is by itself.
 */
const tries = 6;
const turns = 1_000;
const ticksPerTurn = 50;

if (process.argv[2] !== 'without') keepTicksFast();
const collect = globalThis.gc;
if (!collect) throw new Error('Start it with --expose-gc.');

const nothing = () => undefined;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function nanosPerTick(): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = process.threadCpuUsage();
    for (let at = 0; at < turns; at += 1) {
      for (let tick = 0; tick < ticksPerTurn; tick += 1) process.nextTick(nothing);
      await turn();
    }
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, ((user + system) * 1_000) / (turns * ticksPerTurn));
  }
  return best;
}

await nanosPerTick();
const before = await nanosPerTick();
for (let at = 0; at < 3; at += 1) {
  await turn();
  collect();
}
await nanosPerTick();
const after = await nanosPerTick();
console.log(
  `${Math.round(before)} ns before, ${Math.round(after)} ns after: ${(after / before).toFixed(2)} times`,
);
