const nanosecondsASecond = 1_000_000_000n;
const fractionDigits = 9;
const millisecondsASecond = 1_000n;
const millisecondsADay = 86_400_000;
const secondsADay = 86_400n;
/** Largest offset in the service's format, in minutes. 1,440 means UTC. */
const offsetMax = 2_880;

const epochText = /^(-?)(\d{1,15})(?:\.(\d{1,9}))?$/;

/** Converts seconds since 1970, with up to nine fraction digits, to nanoseconds. */
function nanoseconds(text: string): bigint | undefined {
  const [, sign, seconds, fraction = ''] = epochText.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const total = BigInt(seconds) * nanosecondsASecond + BigInt(fraction.padEnd(fractionDigits, '0'));
  return sign === '-' ? -total : total;
}

/** Pads a fraction to milliseconds, microseconds or nanoseconds: `.5` becomes `.500`. Zeros give no fraction. */
function fractionText(fraction: bigint): string {
  const digits = String(fraction)
    .padStart(fractionDigits, '0')
    .replace(/(?:000)+$/, '');
  return digits === '' ? '' : `.${digits}`;
}

/** Returns ISO 8601 without the fraction; undefined outside the range of `Date`. */
function isoSeconds(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, '');
}

/** Converts days since 1970. */
export function dateOf(text: string): string | undefined {
  if (!/^-?\d{1,9}$/.test(text)) return undefined;
  return isoSeconds(Number(text) * millisecondsADay)?.replace(/T.*$/, '');
}

/** Converts seconds since midnight. */
export function clockOf(text: string): string | undefined {
  const sum = nanoseconds(text);
  if (sum === undefined || sum < 0n || sum >= secondsADay * nanosecondsASecond) return undefined;
  return instantOf(text)?.replace(/^.*T/, '');
}

/** Converts seconds since 1970 to ISO 8601 without a zone. */
export function instantOf(text: string): string | undefined {
  const sum = nanoseconds(text);
  if (sum === undefined) return undefined;
  const fraction = ((sum % nanosecondsASecond) + nanosecondsASecond) % nanosecondsASecond;
  const seconds = (sum - fraction) / nanosecondsASecond;
  const clock = isoSeconds(Number(seconds * millisecondsASecond));
  return clock === undefined ? undefined : `${clock}${fractionText(fraction)}`;
}

/** Converts seconds since 1970 and an offset to the instant in UTC. */
export function zonedInstantOf(text: string): string | undefined {
  const [seconds = '', offset, ...more] = text.split(' ');
  if (offset === undefined || more.length > 0 || !/^\d{1,4}$/.test(offset) || Number(offset) > offsetMax)
    return undefined;
  const instant = instantOf(seconds);
  return instant === undefined ? undefined : `${instant}Z`;
}
