import type { TypedParameter } from 'mysql2';
import type { BoundValue } from '../bound-value.ts';
import { ConnectorError } from '../error.ts';
import { withoutExponent } from '../http/decimal-text.ts';

/** Digits of a DECIMAL at most, and of those behind the point: what MySQL and MariaDB both have. */
const digitsMax = 65;
const scaleMax = 30;
const unsignedMax = 2n ** 64n - 1n;

/**
 * Returns a value as the driver sends it. Numbers have their exact type, integer or decimal: a number of JavaScript would
 * be sent as DOUBLE, which turns arithmetic on decimals into doubles, and a text compares as one.
 *
 * @throws ConnectorError `statement-failed` for a number that no DECIMAL holds.
 */
export function wireValue({ type, value }: BoundValue, typed: TypedParameter): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (type === 'DateTime') return value.replace('T', ' ').replace('Z', '');
  if (type !== 'Number') return value;
  const text = withoutExponent(value);
  if (text === undefined) throw tooLong(value);
  if (/^-?\d+$/.test(text)) {
    const whole = BigInt(text);
    if (whole === BigInt.asIntN(64, whole)) return typed.LONGLONG(whole);
    if (whole >= 0n && whole <= unsignedMax) return typed.LONGLONG.unsigned(whole);
  }
  const [whole = '', fraction = ''] = text.replace(/^-?0*/, '').split('.');
  if (whole.length + fraction.length > digitsMax || fraction.length > scaleMax) throw tooLong(value);
  return typed.NEWDECIMAL(text);
}

const tooLong = (value: string): ConnectorError =>
  new ConnectorError(
    'statement-failed',
    `The number ${value.slice(0, 80)} has too many digits: a DECIMAL holds ${digitsMax}, ${scaleMax} of them behind the point.`,
  );
