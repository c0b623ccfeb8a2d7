/**
 * Replays labelled hourly series through the anomaly detector and the rules that it is compared with.
 *
 *   node --conditions=svc-source trials/anomalies/public-series.ts <folder> [part of a file name …]
 *
 * The folder contains `data/<group>/<name>.csv` with the columns `timestamp,value`. It also contains
 * `labels/combined_windows.json` with the times of anomalies per file: the layout of the Numenta Anomaly Benchmark. The
 * count of an hour is the sum of its values. An incident outside the labelled times is false. Flags less than a day
 * apart are one incident.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Detector, detectors } from '../../bench/anomaly/replay.ts';
import type { Point } from '../../packages/server/src/domains/anomalies/index.ts';

const hourMs = 3_600_000;
const incidentGapMs = 24 * hourMs;
/** Hours at the start without false incidents, because the rules have little history. */
const learningHours = 24 * 7;

type Hour = { readonly dueAt: Date; readonly count: number };
type Windows = readonly (readonly [number, number])[];
type Score = { found: number; falseIncidents: number };

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of the series.');

const timeOf = (text: string): number => Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`);

function hoursOf(path: string): Hour[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  const sums = new Map<number, number>();
  for (const line of lines) {
    const [timestamp = '', value = ''] = line.split(',');
    const hour = Math.floor(timeOf(timestamp) / hourMs) * hourMs;
    sums.set(hour, (sums.get(hour) ?? 0) + Number(value));
  }
  return [...sums].map(([at, sum]) => ({ dueAt: new Date(at), count: Math.round(sum) }));
}

function score(hours: readonly Hour[], windows: Windows, detector: Detector): Score {
  const history: Point[] = [];
  const detectedWindows = new Set<number>();
  let falseIncidents = 0;
  let lastFalse = Number.NEGATIVE_INFINITY;
  for (const [index, run] of hours.entries()) {
    const { flagged, lower, upper } = detector(run, history);
    history.push({ ...run, flagged, lower, upper, isExpected: false });
    const at = run.dueAt.getTime();
    const window = windows.findIndex(([start, end]) => at >= start && at <= end);
    if (flagged === null) continue;
    if (window >= 0) detectedWindows.add(window);
    else if (index >= learningHours) {
      if (at - lastFalse > incidentGapMs) falseIncidents += 1;
      lastFalse = at;
    }
  }
  return { found: detectedWindows.size, falseIncidents };
}

const labels = z
  .record(z.string(), z.array(z.tuple([z.string(), z.string()])))
  .parse(JSON.parse(readFileSync(join(folder, 'labels/combined_windows.json'), 'utf8')));
const totals = new Map<string, Score & { windows: number }>();
for (const [file, texts] of Object.entries(labels)) {
  if (names.length > 0 && !names.some((name) => file.includes(name))) continue;
  const windows = texts.map(([start, end]): [number, number] => [timeOf(start), timeOf(end)]);
  const hours = hoursOf(join(folder, 'data', file));
  for (const [name, detector] of Object.entries(detectors)) {
    const { found, falseIncidents } = score(hours, windows, detector);
    const total = totals.get(name) ?? { found: 0, falseIncidents: 0, windows: 0 };
    totals.set(name, {
      found: total.found + found,
      falseIncidents: total.falseIncidents + falseIncidents,
      windows: total.windows + windows.length,
    });
    console.log(`${file}: ${name}: ${found} of ${windows.length} found, ${falseIncidents} false incidents`);
  }
}
for (const [name, { found, windows, falseIncidents }] of totals)
  console.log(`all: ${name}: ${found} of ${windows} found, ${falseIncidents} false incidents`);
