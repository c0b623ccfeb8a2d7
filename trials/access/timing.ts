import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * `node --conditions=svc-source trials/access/timing.ts [count]`: measures the time of refused sign-ins by cause,
 * default 400 of each. New hashes have 120,000 iterations and older ones 100,000. The causes are indistinguishable when
 * Welch's t is below 3 and the interval contains 0.
 */
const root = path.join(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const report = path.join(mkdtempSync(path.join(os.tmpdir(), 'svc-timing-')), 'report.json');
const file = 'packages/server/src/sign-in-timing.torture.test.ts';
const { status } = spawnSync(process.execPath, [vitest, 'run', file], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SVC_TIMING_TRIES: process.argv[2] ?? '400', SVC_TIMING_REPORT: report },
});

type Range = { low: number; high: number };
type Row = {
  kind: string;
  cpuMs: number;
  wallMs: number;
  cpuT: number;
  wallT: number;
  cpuMedianDifferenceMs: Range;
  wallMedianDifferenceMs: Range;
};
const { rows } = JSON.parse(readFileSync(report, 'utf8')) as { rows: Row[] };
const round = (value: number): number => Math.round(value * 100) / 100;
const shown = ({ low, high }: Range): string => `${round(low)} .. ${round(high)}`;
console.table(
  rows.map((row) => ({
    cause: row.kind,
    'median CPU ms': round(row.cpuMs),
    'median wall ms': round(row.wallMs),
    't (CPU)': round(row.cpuT),
    't (wall)': round(row.wallT),
    'CPU median - unknown, 95 %': shown(row.cpuMedianDifferenceMs),
    'wall median - unknown, 95 %': shown(row.wallMedianDifferenceMs),
  })),
);
process.exitCode = status ?? 1;
