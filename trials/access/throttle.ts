import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * `node --conditions=svc-source trials/access/throttle.ts [addresses]`: signs in from many client addresses; default
 * 1,000,000. One in twenty goes through the throttle. The counters of the others are written in batches.
 */
const root = path.join(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const report = path.join(mkdtempSync(path.join(os.tmpdir(), 'svc-throttle-')), 'report.json');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--execArgv=--expose-gc', 'packages/server/src/throttle-flood.torture.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SVC_FLOOD_ADDRESSES: process.argv[2] ?? '1000000', SVC_FLOOD_REPORT: report },
  },
);
process.stdout.write(`${readFileSync(report, 'utf8')}\n`);
process.exitCode = status ?? 1;
