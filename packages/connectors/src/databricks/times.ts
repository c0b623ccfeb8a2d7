const dayForm = /^[+-]?\d{4,7}-\d\d-\d\d$/;
const timeForm =
  /^([+-]?\d{4,7}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d(?::\d\d)?)?$/;

/** A day as the service tells it. */
export const dateOf = (text: string): string | undefined => (dayForm.test(text) ? text : undefined);

/** `.5` as `.500`: no digits, or those of milliseconds, microseconds or nanoseconds. */
function fractionText(digits: string): string {
  const groups = digits.padEnd(Math.ceil(digits.length / 3) * 3, '0').replace(/(?:000)+$/, '');
  return groups === '' ? '' : `.${groups}`;
}

/** A time without a zone, as ISO 8601. */
export function timestampOf(text: string): string | undefined {
  const [, day, clock, fraction = ''] = timeForm.exec(text) ?? [];
  return day === undefined || clock === undefined ? undefined : `${day}T${clock}${fractionText(fraction)}`;
}

const secondsAMinute = 60;
const millisecondsASecond = 1_000;

/** Seconds east of UTC; a time without a zone is one of the session, which is in UTC. */
function offsetSeconds(zone: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):?(\d\d)(?::(\d\d))?$/.exec(zone) ?? [];
  const sum = (Number(hours) * secondsAMinute + Number(minutes)) * secondsAMinute + Number(seconds);
  return sign === '-' ? -sum : sum;
}

/** An instant in UTC. Years that a `Date` cannot say stay the service's own text. */
export function instantOf(text: string): string | undefined {
  const [, day, clock, fraction = '', zone = 'Z'] = timeForm.exec(text) ?? [];
  if (day === undefined || clock === undefined) return undefined;
  const offset = offsetSeconds(zone);
  if (offset === 0) return `${day}T${clock}${fractionText(fraction)}Z`;
  const moved = new Date(Date.parse(`${day}T${clock}Z`) - offset * millisecondsASecond);
  if (Number.isNaN(moved.getTime())) return text;
  return `${moved.toISOString().replace(/\.\d+Z$/, '')}${fractionText(fraction)}Z`;
}
