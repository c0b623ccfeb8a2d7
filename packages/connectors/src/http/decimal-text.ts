/** Largest exponent that is written out. Longer runs of zeros are useless to readers. */
export const exponentMax = 400;

const decimalForm = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Writes `1.25e3` as `1250` and `.5` as `0.5`: the same number with all digits. Undefined beyond `exponentMax`. */
export function withoutExponent(text: string): string | undefined {
  const match = decimalForm.exec(text);
  if (!match) return undefined;
  const [, sign = '', integer = '', fraction = '', power] = match;
  if (integer + fraction === '') return undefined;
  if (power === undefined) return `${sign}${integer || '0'}${fraction === '' ? '' : `.${fraction}`}`;
  const exponent = Number(power);
  if (Math.abs(exponent) > exponentMax) return undefined;
  const digits = integer + fraction;
  const point = integer.length + exponent;
  const padded =
    point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(Math.max(point, digits.length), '0');
  const at = Math.max(point, 1);
  const integerText = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const right = padded.slice(at);
  return `${sign}${integerText}${right === '' ? '' : `.${right}`}`;
}
