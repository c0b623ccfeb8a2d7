import type { Subject } from '../run/subject.ts';
import { rowCount } from './statement.ts';

const mebibyte = 1_048_576;

/** Columns of the report on a download. */
export const columns = [
  { title: 'rows/s', number: 'rowsPerSecond', digits: 0 },
  { title: 's CPU', number: 'cpuSeconds', digits: 2 },
  { title: 'MB above idle', number: 'aboveIdleMb', digits: 0 },
  { title: 'ms longest event-loop block', number: 'loopHoldMaxMs', digits: 0 },
  { title: 'ms of CPU', number: 'loopHoldCpuMaxMs', digits: 0 },
];

/** Bounds in addition to the time. */
export const bounds = [
  { number: 'aboveIdleMb', unit: 'MB above idle', valueMax: 150 },
  { number: 'loopHoldMaxMs', unit: 'ms longest event-loop block', valueMax: 50 },
];

/** Downloads the rows from a subject and measures it. @param idleBytes  Resident size before it served a request. */
export async function download(
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
