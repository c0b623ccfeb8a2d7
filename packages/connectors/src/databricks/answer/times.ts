const dayForm = /^[+-]?\d{4,7}-\d\d-\d\d$/;
const timeForm =
  /^([+-]?\d{4,7}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d(?::\d\d)?)?$/;

/** Returns a day in the service's format; undefined for any other text. */
export const dateOf = (text: string): string | undefined => (dayForm.test(text) ? text : undefined);

/** Pads the digits of a fraction to milliseconds, microseconds or nanoseconds: `.5` becomes `.500`. Zeros give no fraction. */
function fractionText(digits: string): string {
  const groups = digits.padEnd(Math.ceil(digits.length / 3) * 3, '0').replace(/(?:000)+$/, '');
  return groups === '' ? '' : `.${groups}`;
}

/** Converts a time without a zone to ISO 8601. */
export function timestampOf(text: string): string | undefined {
  const [, day, clock, fraction = ''] = timeForm.exec(text) ?? [];
  return day === undefined || clock === undefined ? undefined : `${day}T${clock}${fractionText(fraction)}`;
}

const secondsAMinute = 60;
const millisecondsASecond = 1_000;

/** Returns the offset in seconds east of UTC. A time without a zone is in the session's zone, UTC. */
function offsetSeconds(zone: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):?(\d\d)(?::(\d\d))?$/.exec(zone) ?? [];
  const sum = (Number(hours) * secondsAMinute + Number(minutes)) * secondsAMinute + Number(seconds);
  return sign === '-' ? -sum : sum;
}

/** Converts an instant to UTC. Years outside the range of `Date` remain the service's own text. */
export function instantOf(text: string): string | undefined {
  const [, day, clock, fraction = '', zone = 'Z'] = timeForm.exec(text) ?? [];
  if (day === undefined || clock === undefined) return undefined;
  const offset = offsetSeconds(zone);
  if (offset === 0) return `${day}T${clock}${fractionText(fraction)}Z`;
  const moved = new Date(Date.parse(`${day}T${clock}Z`) - offset * millisecondsASecond);
  if (Number.isNaN(moved.getTime())) return text;
  return `${moved.toISOString().replace(/\.\d+Z$/, '')}${fractionText(fraction)}Z`;
}
