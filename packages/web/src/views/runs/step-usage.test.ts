import { expect, test } from 'vitest';
import { usageWords } from './step-usage.ts';

test('the usage of all steps is summed, and unknown figures are omitted or marked', () => {
  expect(usageWords([{}, {}])).toEqual([]);
  expect(usageWords([{ scannedBytes: 1_024 }, {}, { scannedBytes: 512 }])).toEqual(['1.5 KiB scanned']);
  expect(usageWords([{ scannedBytes: 1_024, billedBytes: 10_485_760 }])).toEqual([
    '1 KiB scanned',
    '10 MiB billed',
  ]);
  expect(usageWords([{ scannedBytes: 1_024, billedBytes: null }])).toEqual([
    '1 KiB scanned',
    'billed bytes not known',
  ]);
  expect(usageWords([{ billedBytes: null }, {}, { billedBytes: 0 }])).toEqual(['at least 0 B billed']);
  expect(usageWords([{ scannedBytes: 0 }])).toEqual(['0 B scanned']);
  expect(usageWords([{ retries: { count: 1, waitedMs: 1_500 } }])).toEqual([
    '1 request sent again after 1.5 s of waiting',
  ]);
  expect(
    usageWords([
      { retries: { count: 2, waitedMs: 400 }, scannedBytes: 1_024 },
      { retries: { count: 3, waitedMs: 600 } },
    ]),
  ).toEqual(['1 KiB scanned', '5 requests sent again after 1.0 s of waiting']);
});
