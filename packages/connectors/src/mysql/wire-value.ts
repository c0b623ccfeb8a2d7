import type { TypedParameter } from 'mysql2';
import type { BoundValue } from '../bound-value.ts';
import { ConnectorError } from '../error.ts';
import { withoutExponent } from '../http/decimal-text.ts';

/** Most digits of a DECIMAL, and most digits after its point, in both MySQL and MariaDB. */
const digitsMax = 65;
const scaleMax = 30;
const unsignedMax = 2n ** 64n - 1n;

/**
 * Returns a value in the form that the driver sends. Numbers are sent in their exact type, integer or decimal. The
 * driver would send a JavaScript number as DOUBLE, which turns decimal arithmetic into doubles, and a text compares
 * as one.
 *
 * @throws ConnectorError `statement-failed` for a number that no DECIMAL represents.
 */
export function wireValue({ type, value }: BoundValue, typed: TypedParameter): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (type === 'DateTime') return value.replace('T', ' ').replace('Z', '');
  if (type !== 'Number') return value;
  const text = withoutExponent(value);
  if (text === undefined) throw tooLong(value);
  if (/^-?\d+$/.test(text)) {
    const integer = BigInt(text);
    if (integer === BigInt.asIntN(64, integer)) return typed.LONGLONG(integer);
    if (integer >= 0n && integer <= unsignedMax) return typed.LONGLONG.unsigned(integer);
  }
  const [integer = '', fraction = ''] = text.replace(/^-?0*/, '').split('.');
  if (integer.length + fraction.length > digitsMax || fraction.length > scaleMax) throw tooLong(value);
  return typed.NEWDECIMAL(text);
}

const tooLong = (value: string): ConnectorError =>
  new ConnectorError(
    'statement-failed',
    `The number ${value.slice(0, 80)} has too many digits: a DECIMAL holds ${digitsMax}, ${scaleMax} of them behind the point.`,
  );
