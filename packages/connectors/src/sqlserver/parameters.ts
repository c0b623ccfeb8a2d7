import type { BoundValue } from '../bound-value.ts';

const int4Max = 2_147_483_647;
const digitsMax = 38;

/**
 * Returns the marker of a value. Values are sent as texts, and the server casts them: the driver would convert a
 * decimal to a JavaScript number. Integers have the narrowest type, so that an index on an integer column remains
 * usable.
 */
export function sqlserverMarker(number: number, { type, value }: BoundValue): string {
  const name = `@p${number}`;
  if (type === 'Number') return `cast(${name} as ${numberType(value)})`;
  // ISO 8601 with `Z`. A column with an offset compares it as a time in UTC.
  if (type === 'DateTime') return `convert(datetime2(7), ${name}, 127)`;
  if (type === 'Date') return `convert(date, ${name}, 23)`;
  return type === 'Boolean' ? `cast(${name} as bit)` : name;
}

function numberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(value ?? '0');
  const integerLength = match?.[1]?.length ?? 0;
  const scale = match?.[2]?.length ?? 0;
  if (!match || integerLength + scale > digitsMax) return 'float';
  if (scale > 0) return `decimal(${integerLength + scale}, ${scale})`;
  if (Math.abs(Number(value)) <= int4Max) return 'int';
  return integerLength <= 18 ? 'bigint' : `decimal(${digitsMax}, 0)`;
}

/** Returns the text of a value to send. */
export function boundText({ value }: BoundValue): string | null {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return value;
}
