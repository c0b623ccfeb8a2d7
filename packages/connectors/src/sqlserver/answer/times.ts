const millisecondsADay = 86_400_000;
const daysTo1970FromYear1 = 719_162;
const daysTo1970From1900 = 25_567;
/** Number of days in the years 1 to 9999. */
const daysMax = 3_652_058;

const pad = (value: number | bigint, digits: number): string => String(value).padStart(digits, '0');

/** Converts days since 0001-01-01 to a date; undefined outside the years 1 to 9999. */
function dateText(days: number): string | undefined {
  if (days < 0 || days > daysMax) return undefined;
  const date = new Date((days - daysTo1970FromYear1) * millisecondsADay);
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
}

/** Converts units of `10^-scale` seconds since midnight to a time with `scale` fraction digits; undefined beyond a day. */
function clockText(units: bigint, scale: number): string | undefined {
  const unit = 10n ** BigInt(scale);
  const seconds = units / unit;
  if (seconds >= 86_400n) return undefined;
  const clock = `${pad(seconds / 3_600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}`;
  return scale === 0 ? clock : `${clock}.${pad(units % unit, scale)}`;
}

const joined = (date: string | undefined, clock: string | undefined): string | undefined =>
  date === undefined || clock === undefined ? undefined : `${date}T${clock}`;

const dateBytes = 3;

/** Reads a `date`. */
export const dateOf = (bytes: Buffer): string | undefined =>
  bytes.length === dateBytes ? dateText(bytes.readUIntLE(0, dateBytes)) : undefined;

const scaleMax = 7;
const offsetBytes = 2;
const timeBytes = (scale: number): number => (scale <= 2 ? 3 : scale <= 4 ? 4 : 5);

/**
 * Reads a `time`, `datetime2` or `datetimeoffset`, with all digits of its scale. A value with an offset is returned
 * in UTC, as the server sends it.
 */
export function timeOf(
  bytes: Buffer,
  type: 'time' | 'datetime2' | 'datetimeoffset',
  scale = scaleMax,
): string | undefined {
  if (scale > scaleMax) return undefined;
  const ownBytes = timeBytes(scale);
  const rest = type === 'time' ? 0 : type === 'datetime2' ? dateBytes : dateBytes + offsetBytes;
  if (bytes.length !== ownBytes + rest) return undefined;
  const clock = clockText(BigInt(bytes.readUIntLE(0, ownBytes)), scale);
  if (type === 'time') return clock;
  const instant = joined(dateText(bytes.readUIntLE(ownBytes, dateBytes)), clock);
  return type === 'datetime2' || instant === undefined ? instant : `${instant}Z`;
}

const from1900 = (days: number): string | undefined =>
  dateText(days + daysTo1970FromYear1 - daysTo1970From1900);

/** Reads a `smalldatetime`: days since 1900, minutes since midnight. */
export const smallDateTimeOf = (bytes: Buffer): string | undefined =>
  joined(from1900(bytes.readUInt16LE()), clockText(BigInt(bytes.readUInt16LE(2)) * 60n, 0));

const ticksASecond = 300;
const millisecondsASecond = 1_000;

/**
 * Reads a `datetime`: days since 1900, and 300ths of a second since midnight. The result is in milliseconds, as the
 * server displays it.
 */
export const dateTimeOf = (bytes: Buffer): string | undefined =>
  joined(
    from1900(bytes.readInt32LE()),
    clockText(BigInt(Math.round((bytes.readUInt32LE(4) * millisecondsASecond) / ticksASecond)), 3),
  );
