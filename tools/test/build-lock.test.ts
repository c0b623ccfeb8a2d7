import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withBuildLock } from '../../packages/web/tools/build-lock.ts';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-build-lock-'));
  lock = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const longAgo = new Date(0);

test.each([
  ['before it wrote its name', ''],
  ['and whose number nobody has', '999999999 1'],
  ['and whose number another process has', `${process.pid} 1`],
])('the lock of a build that was killed %s is taken over', async (_how, content) => {
  writeFileSync(lock, content);
  utimesSync(lock, longAgo, longAgo);
  let hasRun = false;
  await withBuildLock(lock, async () => {
    hasRun = true;
  });
  expect(hasRun).toBe(true);
  expect(existsSync(lock)).toBe(false);
});

test('concurrent builds run one after another', async () => {
  let running = 0;
  let most = 0;
  const build = () =>
    withBuildLock(lock, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
  await Promise.all([build(), build(), build()]);
  expect(most).toBe(1);
});
