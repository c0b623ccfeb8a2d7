import type { BoundValue } from '../bound-value.ts';
import { ConnectorError } from '../error.ts';
import { withoutExponent } from '../http/decimal-text.ts';
import { floatCell } from '../values.ts';

const integerDigitsMax = 18;
const decimalDigitsMax = 76;

/** Returns the narrowest type that represents the number exactly. */
function numberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(withoutExponent(value ?? '0') ?? '');
  if (!match) return 'Float64';
  const [integer = '', fraction = ''] = match.slice(1);
  if (integer.length + fraction.length > decimalDigitsMax) return 'Float64';
  if (fraction !== '') return `Decimal(${Math.max(integer.length + fraction.length, 1)}, ${fraction.length})`;
  return integer.length <= integerDigitsMax ? 'Int64' : 'Int256';
}

function typeOf({ type, value }: BoundValue): string {
  if (type === 'Number') return numberType(value);
  if (type === 'DateTime') return "DateTime64(6, 'UTC')";
  if (type === 'Date') return 'Date32';
  return type === 'Boolean' ? 'Bool' : 'String';
}

/** Returns a marker of the server's own substitution, which declares the type. Values never become text of the statement. */
export const clickhouseMarker = (number: number, value: BoundValue): string =>
  `{p${number}:${value.value === null ? `Nullable(${typeOf(value)})` : typeOf(value)}}`;

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0',
};

/**
 * Returns a decimal text, or the number itself for a float. Returns undefined for a number that a float rounds to 0
 * or infinity.
 */
function numberText(value: string): string | undefined {
  if (numberType(value) !== 'Float64') return withoutExponent(value);
  return typeof floatCell(value) === 'number' ? value : undefined;
}

/** Formats a value as the server reads parameters: the text of a TabSeparated field. */
function fieldText({ type, value }: BoundValue): string | undefined {
  if (value === null) return '\\N';
  if (type === 'Number') return numberText(value);
  if (type === 'DateTime') return String(value).replace('T', ' ').replace('Z', '');
  return String(value).replaceAll(/[\\\t\n\r\b\f\0]/g, (character) => escapes[character] ?? character);
}

/**
 * Returns the values of the markers as parameters of a request.
 *
 * @throws ConnectorError for a number that no type of the server represents.
 */
export const requestParameters = (values: readonly BoundValue[]): [name: string, value: string][] =>
  values.map((value, index) => {
    const text = fieldText(value);
    if (text === undefined)
      throw new ConnectorError(
        'statement-failed',
        `Value ${index + 1} is a number that ClickHouse has no type for: it is too near to 0, or too far from it.`,
        { origin: 'Service' },
      );
    return [`param_p${index + 1}`, text];
  });
