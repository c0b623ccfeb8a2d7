import { expect, test } from 'vitest';
import { ofDisk } from './disk.ts';

const mb = 1_000_000;

test.each([
  [0, 'Fault', '0 MB are free where /data lies.'],
  [199 * mb, 'Fault', '199 MB are free where /data lies.'],
  [999 * mb, 'Warning', '999 MB are free where /data lies.'],
  [9_900 * mb, 'Warning', '9.9 GB are free where /data lies.'],
  [10_000 * mb, 'Well', '10.0 GB are free where /data lies.'],
])('the doctor reports %d free bytes of 100 GB as %s', (free, state, text) => {
  expect(ofDisk('/data', { free, all: 100_000 * mb })).toMatchObject({ state, text });
});
