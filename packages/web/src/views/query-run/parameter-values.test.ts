import { describe, expect, it } from 'vitest';
import { coerce, setValues } from './parameter-values.ts';

describe('parameter values', () => {
  it('keeps numbers exact: what a double cannot hold is sent as digits', () => {
    expect(coerce('Number', '42')).toBe(42);
    expect(coerce('Number', '-1.5')).toBe(-1.5);
    expect(coerce('Number', '9007199254740993')).toBe('9007199254740993');
    expect(coerce('Number', '1.10')).toBe('1.10');
  });

  it('leaves nothing typed to the default', () => {
    expect(coerce('String', '  ')).toBeUndefined();
    expect(setValues({ a: undefined, b: null, c: 0 })).toEqual({ b: null, c: 0 });
  });

  it('knows yes and no', () => {
    expect(coerce('Boolean', 'TRUE')).toBe(true);
    expect(coerce('Boolean', 'maybe')).toBe('maybe');
  });
});
