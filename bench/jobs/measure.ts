import type { BenchEngine } from './engine.ts';

/** Measures of one engine in one round: jobs per second, and milliseconds for the pick-up. */
export const measureNames = [
  'enqueue one by one, jobs/s',
  'enqueue 500 at a time, jobs/s',
  'drain, 10 concurrent, jobs/s',
  'drain, 50 concurrent, jobs/s',
  'drain, 100 concurrent, jobs/s',
  'pick-up, median ms',
] as const;

export type MeasureName = (typeof measureNames)[number];
export type Measured = Readonly<Record<MeasureName, number>>;

const singles = 400;
const bulkSize = 500;
const bulks = 20;
const drained = 10_000;
const pickups = 25;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (count / (performance.now() - beganMs)) * 1_000;
}

async function drain(engine: BenchEngine, concurrency: number): Promise<number> {
  await engine.clear();
  for (let count = 0; count < drained; count += bulkSize) await engine.enqueueBulk(bulkSize);
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  // Measures from the first to the last job, so that the start of the worker does not count.
  let beganMs = 0;
  const worker = await engine.work(concurrency, () => {
    if (seen === 0) beganMs = performance.now();
    seen += 1;
    if (seen === drained) resolve();
  });
  await promise;
  const elapsedMs = performance.now() - beganMs;
  await worker.stop();
  return (drained / elapsedMs) * 1_000;
}

async function pickUp(engine: BenchEngine): Promise<number> {
  await engine.clear();
  let onRun: () => void = () => undefined;
  const worker = await engine.work(10, () => onRun());
  const times: number[] = [];
  for (let at = 0; at < pickups; at += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Waits until the worker is idle, at a random time after its last poll.
    setTimeout(resolve, 60 + Math.random() * 60);
    await promise;
    const ran = Promise.withResolvers<void>();
    onRun = () => ran.resolve();
    const beganMs = performance.now();
    await engine.enqueueOne();
    await ran.promise;
    times.push(performance.now() - beganMs);
  }
  await worker.stop();
  return median(times);
}

/** Runs all measurements once. */
export async function measure(engine: BenchEngine): Promise<Measured> {
  await engine.clear();
  return {
    'enqueue one by one, jobs/s': await perSecond(singles, async () => {
      for (let at = 0; at < singles; at += 1) await engine.enqueueOne();
    }),
    'enqueue 500 at a time, jobs/s': await perSecond(bulks * bulkSize, async () => {
      for (let at = 0; at < bulks; at += 1) await engine.enqueueBulk(bulkSize);
    }),
    'drain, 10 concurrent, jobs/s': await drain(engine, 10),
    'drain, 50 concurrent, jobs/s': await drain(engine, 50),
    'drain, 100 concurrent, jobs/s': await drain(engine, 100),
    'pick-up, median ms': await pickUp(engine),
  };
}
