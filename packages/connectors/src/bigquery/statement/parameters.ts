import type { BoundValue } from '../../bound-value.ts';

/** Named parameter of a request. */
export type QueryParameter = {
  readonly name: string;
  readonly parameterType: { readonly type: string };
  readonly parameterValue: { readonly value: string | null };
};

const numericDigits = { whole: 29, fraction: 9 };
const bigNumericDigits = { whole: 38, fraction: 38 };

/** Returns the narrowest type that represents the number exactly. */
function numberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(value ?? '0');
  if (!match) return 'FLOAT64';
  const [integer = '', fraction = ''] = match.slice(1);
  const fits = (most: typeof numericDigits): boolean =>
    integer.length <= most.whole && fraction.length <= most.fraction;
  if (fraction === '' && isInt64(value ?? '0')) return 'INT64';
  if (fits(numericDigits)) return 'NUMERIC';
  return fits(bigNumericDigits) ? 'BIGNUMERIC' : 'FLOAT64';
}

function isInt64(text: string): boolean {
  if (text.length > 20) return false;
  const integer = BigInt(text);
  return integer === BigInt.asIntN(64, integer);
}

function typeOf({ type, value }: BoundValue): string {
  if (type === 'Number') return numberType(value);
  if (type === 'DateTime') return 'TIMESTAMP';
  if (type === 'Date') return 'DATE';
  return type === 'Boolean' ? 'BOOL' : 'STRING';
}

/** Returns the marker of a named parameter. Values never become text of the statement. */
export const bigqueryMarker = (number: number): string => `@p${number}`;

/** Formats a value as the service reads parameters. */
function valueText({ type, value }: BoundValue): string | null {
  if (value === null) return null;
  return type === 'DateTime' ? `${value.replace('T', ' ').replace('Z', '')}+00:00` : String(value);
}

/** Returns the values of the markers as parameters of a request. */
export const queryParameters = (values: readonly BoundValue[]): QueryParameter[] =>
  values.map((value, index) => ({
    name: `p${index + 1}`,
    parameterType: { type: typeOf(value) },
    parameterValue: { value: valueText(value) },
  }));
