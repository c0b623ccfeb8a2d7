import type { BoundType, BoundValue } from '@svc/connectors';
import { plural } from '@svc/contract';
import { RunSqlRefusal } from '../refusal.ts';

const stringLengthMax = 100_000;
const decimalText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const decimalLengthMax = 60;
const dateText = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimeText = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Parses a value by its declared type. Throws `invalid-parameter` with the expected form. */
export function parseParameterValue(name: string, type: BoundType, value: unknown): BoundValue {
  if (value === null || value === undefined) return { type, value: null };
  switch (type) {
    case 'Number':
      return { type, value: parseNumber(name, value) };
    case 'Boolean':
      return { type, value: parseBoolean(name, value) };
    case 'Date':
      return { type, value: parseDate(name, value) };
    case 'DateTime':
      return { type, value: parseDateTime(name, value) };
    case 'String':
      return { type, value: parseString(name, value) };
  }
}

function refuse(name: string, expected: string): never {
  throw new RunSqlRefusal('invalid-parameter', `The parameter ${name} must be ${expected}.`, {
    parameter: name,
  });
}

function parseNumber(name: string, value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string') {
    const text = value.trim();
    if (text.length <= decimalLengthMax && decimalText.test(text)) return text.replace(/^\+/, '');
  }
  return refuse(name, 'a number');
}

function parseBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value.trim()))
    return value.trim().toLowerCase() === 'true';
  return refuse(name, 'true or false');
}

function parseDate(name: string, value: unknown): string {
  const match = typeof value === 'string' ? dateText.exec(value.trim()) : null;
  if (!match) return refuse(name, 'a date as YYYY-MM-DD');
  const [text, year, month, day] = match;
  const date = new Date(`${text}T00:00:00Z`);
  const isReal =
    !Number.isNaN(date.getTime()) &&
    date.getUTCFullYear() === Number(year) &&
    date.getUTCMonth() + 1 === Number(month) &&
    date.getUTCDate() === Number(day);
  return isReal ? text : refuse(name, 'a date that exists');
}

/** Parses a date and time. UTC is the default offset. */
function parseDateTime(name: string, value: unknown): string {
  const expected = 'a date and time in ISO 8601, e.g. 2024-02-29T12:30:00Z';
  const text = typeof value === 'string' ? value.trim().replace(' ', 'T') : '';
  const match = dateTimeText.exec(text);
  if (!match) return refuse(name, expected);
  parseDate(name, text.slice(0, 10));
  const time = new Date(match[1] ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? refuse(name, expected) : time.toISOString();
}

function parseString(name: string, value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') return refuse(name, 'text');
  if (text.includes('\0')) return refuse(name, 'text without NUL characters');
  if (text.length > stringLengthMax) return refuse(name, `at most ${plural(stringLengthMax, 'character')}`);
  return text;
}
