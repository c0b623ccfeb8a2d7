/** Number of compared decimals. Numbers with a smaller difference are equal. */
const decimals = 6;

const numberText = (value: number): string =>
  Number.isFinite(value) ? `n ${Number(value.toFixed(decimals)) + 0}` : `s ${value}`;

const timeForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Returns a timestamp in UTC, to the microsecond. A timestamp without a zone counts as UTC. Undefined for any other
 * text.
 */
function timeText(text: string): string | undefined {
  const [, day, time = '', fraction = '', zone = 'Z'] = timeForm.exec(text) ?? [];
  if (day === undefined) return undefined;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const at = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${offset.toUpperCase()}`);
  return Number.isNaN(at) ? undefined : `t ${at / 1_000}.${fraction.padEnd(6, '0').slice(0, 6)}`;
}

/** Returns the same text for equal cells: `1`, `1.0` and `"1.000000"` are one number, times are in UTC. */
export function comparableText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(Number(value));
  if (typeof value === 'string') {
    if (/^-?\d+(\.\d+)?$/.test(value.trim())) return numberText(Number(value));
    return timeText(value.trim()) ?? `s ${value}`;
  }
  return `j ${JSON.stringify(value)}`;
}
