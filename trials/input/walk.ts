import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * `node --conditions=svc-source trials/input/walk.ts`: calls every operation as three callers, with hostile values in
 * every text and number. The values are U+0000, halves of surrogate pairs, large texts, and numbers out of range.
 * Reports the answers by status. Fails on a status of 500 or above, and on a refusal that is not a problem document.
 */
const root = path.join(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const report = path.join(mkdtempSync(path.join(os.tmpdir(), 'svc-input-')), 'report.json');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'packages/server/src/hostile-input.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SVC_HOSTILE_INPUT: 'thorough', SVC_HOSTILE_INPUT_REPORT: report },
});
process.stdout.write(`${readFileSync(report, 'utf8')}\n`);
process.exitCode = status ?? 1;
