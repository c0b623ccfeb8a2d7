/** Prefixes of card numbers of a network, each as the first and last prefix, and the lengths of its numbers. */
type Network = {
  readonly prefixes: readonly (readonly [first: string, last: string])[];
  readonly lengths: readonly [min: number, max: number];
};

/**
 * Networks with their prefixes as ISO/IEC 7812 assigns them. Visa has no numbers of 14, 15, 17 and 18 digits, so it has
 * three entries.
 */
const networks: readonly Network[] = [
  ...([13, 16, 19] as const).map(
    (length): Network => ({ prefixes: [['4', '4']], lengths: [length, length] }),
  ),
  // Mastercard
  {
    prefixes: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16, 16],
  },
  // American Express
  {
    prefixes: [
      ['34', '34'],
      ['37', '37'],
    ],
    lengths: [15, 15],
  },
  // Diners Club
  { prefixes: [['36', '36']], lengths: [14, 19] },
  {
    prefixes: [
      ['300', '305'],
      ['3095', '3095'],
      ['38', '39'],
    ],
    lengths: [14, 16],
  },
  // Discover, UnionPay, JCB, Mir
  {
    prefixes: [
      ['6011', '6011'],
      ['644', '65'],
      ['62', '62'],
      ['3528', '3589'],
      ['2200', '2204'],
    ],
    lengths: [16, 19],
  },
  // RuPay, UnionPay, Troy, Elo and smaller networks
  {
    prefixes: [
      ['60', '60'],
      ['508', '509'],
      ['81', '82'],
      ['9792', '9792'],
      ['636', '639'],
    ],
    lengths: [16, 16],
  },
  // Maestro, Verve
  {
    prefixes: [
      ['5018', '5020'],
      ['5038', '5038'],
      ['506', '507'],
      ['5612', '5612'],
      ['5893', '5893'],
      ['6304', '6304'],
      ['6390', '6390'],
      ['6759', '6763'],
    ],
    lengths: [13, 19],
  },
];

export const cardDigitsMin = 13;
export const cardDigitsMax = 19;
/** The smallest number with as many digits as a card number. */
export const smallestCardNumber = 10 ** (cardDigitsMin - 1);

const zero = 0x30;

const isOfNetwork = (digits: string): boolean =>
  networks.some(
    ({ prefixes, lengths: [min, max] }) =>
      digits.length >= min &&
      digits.length <= max &&
      prefixes.some(
        ([first, last]) => digits.slice(0, first.length) >= first && digits.slice(0, last.length) <= last,
      ),
  );

/** Returns true for digits with the prefix and length of a card network and a valid check digit. */
export function isCardNumber(digits: string): boolean {
  if (digits.length < cardDigitsMin || digits.length > cardDigitsMax) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - zero;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && isOfNetwork(digits);
}
