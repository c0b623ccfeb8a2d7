import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** `node --conditions=svc-source trials/access/races.ts [count]`: races revocations against requests; default 1,000 races. */
const root = path.join(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', 'packages/server/src/access-races.torture.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SVC_RACES: process.argv[2] ?? '1000' },
  },
);
process.exitCode = status ?? 1;
