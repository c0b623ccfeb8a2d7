import { leftOutReasons } from '@svc/contract';
import { expect, test } from 'vitest';
import { importInWords, leftOutInWords } from './import-words.ts';

test('every reason for a skipped document is a sentence part without its code', () => {
  for (const reason of leftOutReasons) {
    const text = leftOutInWords({ path: 'a.md', reason });
    expect(text).toMatch(/^a\.md \(\D+.*\)$/);
    expect(text).not.toContain(`(${reason})`);
    expect(text).toMatch(/\w \w/);
  }
});

test('an import counts its documents with their nouns', () => {
  const source = {
    source: 'settings',
    imported: 1_200,
    archived: 1,
    leftOut: [],
    leftOutCount: 0,
    isSuperseded: false,
  };
  expect(importInWords({ ...source, isRead: true })).toBe(
    'Folder of the settings: 1,200 documents imported, 1 removed, 0 left out.',
  );
  expect(importInWords({ ...source, source: 'Wiki', isRead: false })).toBe(
    'Wiki: could not be read. Its documents stay as they are.',
  );
});

test('an import that a newer import superseded names the newer import and no counts', () => {
  const source = { source: 'Wiki', isRead: true, imported: 0, archived: 0, leftOut: [], leftOutCount: 0 };
  expect(importInWords({ ...source, isSuperseded: true })).toBe(
    'Wiki: a newer import was stored first. Its documents are those of the newer import.',
  );
});
