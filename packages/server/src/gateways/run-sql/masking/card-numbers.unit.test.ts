import { expect, it } from 'vitest';
import { isCardNumber } from './card-numbers.ts';

/** Numbers that payment processors publish for tests. */
const publishedNumbers = [
  '4111111111111111 4012888888881881 4242424242424242 4222222222222 4000056655665556 4571736000000075',
  '5555555555554444 5105105105105100 5200828282828210 2223003122003222 2720992593319364 2221000000000009',
  '378282246310005 371449635398431 378734493671000 341111111111111',
  '6011111111111117 6011000990139424 6011981111111113 6445644564456445 6500000000000002',
  '30569309025904 38520000023237 36227206271667 3056930009020004 3530111333300000 3566002020360505',
  '6200000000000005 6205500000000000004 6200000000000047 8171999927660000 2200770239097761 9792030394440796',
  '6759649826438453 5018000000000009 6304000000000000',
].flatMap((line) => line.split(' '));

it('recognises numbers of every network', () => {
  expect(publishedNumbers.filter((number) => !isCardNumber(number))).toEqual([]);
  expect(
    publishedNumbers.filter((number) =>
      isCardNumber(number.replace(/.$/, (last) => `${(Number(last) + 1) % 10}`)),
    ),
  ).toEqual([]);
});

it.each([
  [13, 0.012],
  [14, 0.005],
  [15, 0.008],
  [16, 0.035],
  [17, 0.006],
  [18, 0.006],
  [19, 0.018],
])('takes few of all numbers of %i digits for card numbers', (length, shareMax) => {
  // Every prefix of four digits, each with the same 20 endings.
  const endings = Array.from({ length: 20 }, (_, at) =>
    String(at * 7_919 + 13)
      .repeat(4)
      .slice(-(length - 4))
      .padStart(length - 4, '7'),
  );
  let wrong = 0;
  let all = 0;
  for (let prefix = 1_000; prefix < 10_000; prefix += 1)
    for (const ending of endings) {
      all += 1;
      if (isCardNumber(`${prefix}${ending}`)) wrong += 1;
    }
  expect(wrong / all).toBeLessThan(shareMax);
});
