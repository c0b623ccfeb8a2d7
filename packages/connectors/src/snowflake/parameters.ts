import type { BoundValue } from '../bound-value.ts';

const digitsMax = 38;

/**
 * Returns the marker of a value. Values are bound as texts, and the statement casts them: no digit is lost, and no
 * input format of the account changes their meaning.
 */
export function snowflakeMarker(_number: number, { type, value }: BoundValue): string {
  if (type === 'Number') return `cast(? as ${numberType(value)})`;
  // The session is in UTC.
  if (type === 'DateTime') return "to_timestamp_ltz(?, 'YYYY-MM-DD HH24:MI:SS.FF9')";
  if (type === 'Date') return "to_date(?, 'YYYY-MM-DD')";
  return type === 'Boolean' ? 'cast(? as boolean)' : '?';
}

function numberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(value ?? '0');
  const integerLength = match?.[1]?.length ?? 0;
  const scale = match?.[2]?.length ?? 0;
  return !match || integerLength + scale > digitsMax ? 'float' : `number(${integerLength + scale}, ${scale})`;
}

/** Value in the form of the service. */
export type Binding = { readonly type: 'TEXT'; readonly value: string | null };

/** Returns the values of the markers by their number. */
export const bindingsOf = (values: readonly BoundValue[]): Readonly<Record<string, Binding>> =>
  Object.fromEntries(
    values.map((value, index) => [String(index + 1), { type: 'TEXT', value: boundText(value) }]),
  );

function boundText({ type, value }: BoundValue): string | null {
  if (value === null) return null;
  if (type === 'DateTime') return timeText(String(value));
  return String(value);
}

/** Converts ISO 8601 in UTC to the marker's format, with nine fraction digits. */
function timeText(value: string): string {
  const [, day, clock, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?Z$/.exec(value) ?? [];
  return day === undefined || clock === undefined ? value : `${day} ${clock}.${fraction.padEnd(9, '0')}`;
}
