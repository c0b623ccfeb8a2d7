/** Numbers that differ by less are the same. */
const decimals = 6;

const numberText = (value: number): string =>
  Number.isFinite(value) ? `n ${Number(value.toFixed(decimals)) + 0}` : `s ${value}`;

/** A cell as a text that equal values share: `1`, `1.0` and `"1.000000"` are one number. */
export function comparableText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(Number(value));
  if (typeof value === 'string')
    return /^-?\d+(\.\d+)?$/.test(value.trim()) ? numberText(Number(value)) : `s ${value}`;
  return `j ${JSON.stringify(value)}`;
}
