/** Digits that are written at a time. */
const groupSize = 1_000;
/** As many of them behind the point. */
const fractionSize = groupSize * groupSize;
/** Decimals of so many digits stand for one number each, and the shortest one is what `String` writes. */
const exactMax = 1e15;

const plain = Array.from({ length: groupSize }, (_, group) => String(group));
const padded = plain.map((text) => text.padStart(3, '0'));
const trimmed = padded.map((text) => text.replace(/0+$/, ''));

/**
 * What `String` gives for a number. Of a million numbers `String` keeps some thousands in a cache of the engine, so
 * that they outlive the collections of young memory, which grows by it: in a large file most of what it took was that.
 * Whole numbers and those of up to six decimals are put together from parts instead.
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
  const whole = wholeText((scaled - fraction) / fractionSize);
  return last === 0 ? `${whole}.${trimmed[first]}` : `${whole}.${padded[first]}${trimmed[last]}`;
}

function wholeText(value: number): string {
  if (value < groupSize) return plain[value] as string;
  const last = value % groupSize;
  return wholeText((value - last) / groupSize) + padded[last];
}

/** Places behind the point of a serial: more than a double of its size holds, so that reading it gives the same time. */
const serialPlaces = 12;
const serialFraction = 10 ** serialPlaces;

/** A time as spreadsheets count it, days with a fraction, as text. Few serials are decimals of six places. */
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
