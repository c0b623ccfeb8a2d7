import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFullDomainFolders } from './domain-folders.ts';

test('a domain folder with more than 15 production files is reported, and tests do not count', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'svc-folders-'));
  try {
    for (const [domain, count] of [
      ['full', 16],
      ['fine', 15],
    ] as const) {
      const folder = path.join(root, 'packages/server/src/domains', domain);
      mkdirSync(folder, { recursive: true });
      for (let number = 0; number < count; number += 1) {
        writeFileSync(path.join(folder, `file-${number}.ts`), '');
        writeFileSync(path.join(folder, `file-${number}.test.ts`), '');
      }
    }
    expect(findFullDomainFolders(root)).toEqual(['packages/server/src/domains/full: 16 files']);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('no domain folder exceeds the limit', () => {
  expect(findFullDomainFolders(process.cwd())).toEqual([]);
});
