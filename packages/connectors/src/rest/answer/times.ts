const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const zoned = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d{1,9})?(?:([Zz])|([+-])(\d\d):?(\d\d))$/;

/** Returns true for a day that exists in the calendar. */
export function isDate(text: string): boolean {
  if (!date.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export const isZonedTime = (text: string): boolean => zonedTime(text) !== undefined;

const minuteMs = 60_000;

/** Converts a time of RFC 3339 to UTC, with its original fraction; undefined for an invalid one. */
export function zonedTime(text: string): string | undefined {
  const [, day = '', clock = '', fraction = '', , sign, hours = '0', minutes = '0'] = zoned.exec(text) ?? [];
  if (!isDate(day) || Number(minutes) > 59 || Number(hours) > 23) return undefined;
  const local = Date.parse(`${day}T${clock}Z`);
  if (Number.isNaN(local)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const utc = new Date(sign === undefined ? local : local - offset * minuteMs).toISOString();
  // Years before 0 and after 9999 have a sign.
  return /^\d/.test(utc) ? `${utc.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${fraction}Z` : undefined;
}
