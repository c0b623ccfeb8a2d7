/** Numbers below this are written from a table, in groups of three digits. */
const groupSize = 1_000;
/** Six decimals: two groups. */
const fractionSize = groupSize * groupSize;
/** Below this bound, a decimal text identifies one number and is the shortest text that `String` writes. */
const exactMax = 1e15;

const plain = Array.from({ length: groupSize }, (_, group) => String(group));
const padded = plain.map((text) => text.padStart(3, '0'));
const trimmed = padded.map((text) => text.replace(/0+$/, ''));

/**
 * Returns the same text as `String` for a number. For a million numbers, `String` caches thousands of texts in the
 * engine. They survive collections of the young generation, which grows: this was most of the memory of a large
 * file. Whole numbers and decimals of up to six places are therefore composed from parts.
 */
export function numberText(value: number): string {
  if (value < 0) return `-${numberText(-value)}`;
  if (!(value < exactMax)) return String(value);
  if (Number.isInteger(value)) return wholeText(value);
  const scaled = Math.round(value * fractionSize);
  if (scaled >= exactMax || scaled / fractionSize !== value) return String(value);
  const fraction = scaled % fractionSize;
  const last = fraction % groupSize;
  const first = (fraction - last) / groupSize;
  const integerText = wholeText((scaled - fraction) / fractionSize);
  return last === 0 ? `${integerText}.${trimmed[first]}` : `${integerText}.${padded[first]}${trimmed[last]}`;
}

function wholeText(value: number): string {
  if (value < groupSize) return plain[value] as string;
  const last = value % groupSize;
  return wholeText((value - last) / groupSize) + padded[last];
}

/** Decimal places of a serial: more than a double of its size contains, so that reading it gives the same time. */
const serialPlaces = 12;
const serialFraction = 10 ** serialPlaces;

/**
 * Returns the text of a spreadsheet time: days with a fraction. Few serials have at most six decimals, so
 * `numberText` would not suffice.
 */
export function serialText(serial: number): string {
  const days = Math.floor(serial);
  const fraction = Math.round((serial - days) * serialFraction);
  if (fraction === 0) return wholeText(days);
  if (fraction === serialFraction) return wholeText(days + 1);
  let digits = '';
  let rest = fraction;
  for (let place = 0; place < serialPlaces; place += 3) {
    const group = rest % groupSize;
    rest = (rest - group) / groupSize;
    digits = (digits === '' ? (trimmed[group] as string) : (padded[group] as string)) + digits;
  }
  return `${wholeText(days)}.${digits}`;
}
