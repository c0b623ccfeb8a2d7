import { expect, test } from 'vitest';
import { scanned } from './format.ts';

test('scanned bytes are shown in the binary units of the connection limits', () => {
  const amounts = [0, 1, 1_023, 1_024, 1_610_612_736, 10 * 2 ** 30, 2 ** 60];
  expect(amounts.map(scanned)).toEqual(['0 B', '1 B', '1023 B', '1 KiB', '1.5 GiB', '10 GiB', '1024 PiB']);
});
