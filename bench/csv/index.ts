import path from 'node:path';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { printCase } from '../run/report.ts';
import { inTurns } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import { createTable, rowCount } from './statement.ts';

const folder = import.meta.dirname;
const target = 0.4;
const mebibyte = 1_048_576;

/** A result of a million rows as a CSV download. */
export const bench: Bench = {
  purpose:
    'a query of a million rows to CSV (target 0.4, under 150 MB above idle, no hold over 50 ms) against a bare cursor',
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const { connection } = database;
    await database.sql(createTable);
    await database.sql('vacuum analyze orders');
    const service = await startSubject('service', path.join(folder, 'service.ts'), { connection });
    const floor = await startSubject('floor', path.join(folder, 'floor.ts'), { connection });
    const client = await startSubject('client', path.join(folder, 'download.ts'), {});
    try {
      const contenders = [];
      for (const subject of [floor, service]) {
        // Idle is what it was before it served anything.
        const { rssBytes: idleBytes } = await subject.usage();
        contenders.push({ name: subject.name, measure: () => download(subject, client, idleBytes) });
      }
      const turns = await inTurns(contenders, rounds);
      const rate = { number: 'rowsPerSecond', isMoreBetter: true, target };
      return printCase('one download', turns, floor.name, columns, rate, bounds);
    } finally {
      await Promise.all([client.stop(), floor.stop(), service.stop()]);
      await database.stop();
    }
  },
};

const columns = [
  { title: 'rows/s', number: 'rowsPerSecond', digits: 0 },
  { title: 's CPU', number: 'cpuSeconds', digits: 2 },
  { title: 'MB above idle', number: 'aboveIdleMb', digits: 0 },
  { title: 'ms longest hold', number: 'loopHoldMaxMs', digits: 0 },
  { title: 'ms of CPU', number: 'loopHoldCpuMaxMs', digits: 0 },
];

/** What the work may take beside its time. */
const bounds = [
  { number: 'aboveIdleMb', unit: 'MB above idle', valueMax: 150 },
  { number: 'loopHoldMaxMs', unit: 'ms longest hold', valueMax: 50 },
];

async function download(
  subject: Subject,
  client: Subject,
  idleBytes: number,
): Promise<Record<string, number>> {
  await subject.usage();
  const { seconds, lines } = (await client.act({ origin: subject.ready['origin'] })) as {
    seconds: number;
    lines: number;
  };
  if (lines < rowCount) throw new Error(`${subject.name} gave ${lines} lines.`);
  const { cpuMicros, rssPeakBytes, loopHoldMaxMs, loopHoldCpuMaxMs } = await subject.usage();
  return {
    rowsPerSecond: rowCount / seconds,
    cpuSeconds: cpuMicros / 1e6,
    aboveIdleMb: (rssPeakBytes - idleBytes) / mebibyte,
    loopHoldMaxMs,
    loopHoldCpuMaxMs,
  };
}
