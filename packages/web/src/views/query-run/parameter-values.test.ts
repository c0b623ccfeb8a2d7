import { describe, expect, it } from 'vitest';
import { coerce, setValues } from './parameter-values.ts';

describe('parameter values', () => {
  it('are exact: a number that a double cannot represent is sent as digits', () => {
    expect(coerce('Number', '42')).toBe(42);
    expect(coerce('Number', '-1.5')).toBe(-1.5);
    expect(coerce('Number', '9007199254740993')).toBe('9007199254740993');
    expect(coerce('Number', '1.10')).toBe('1.10');
  });

  it('use the default if the field is empty', () => {
    expect(coerce('String', '  ')).toBeUndefined();
    expect(setValues({ a: undefined, b: null, c: 0 })).toEqual({ b: null, c: 0 });
  });

  it('convert true without regard to case, and leave other text unchanged', () => {
    expect(coerce('Boolean', 'TRUE')).toBe(true);
    expect(coerce('Boolean', 'maybe')).toBe('maybe');
  });
});
