import { describe, expect, it } from 'vitest';
import { assertTypeDepth, clickhouseKind, innerType, isNullableType, kindInSession } from './types.ts';

const nested = (wrapper: string, type: string, depth: number): string =>
  `${`${wrapper}(`.repeat(depth)}${type}${')'.repeat(depth)}`;

describe('the type within others', () => {
  it.each([
    ['LowCardinality(Nullable(String))', 'String'],
    ['Nullable(Decimal(9, 2))', 'Decimal(9, 2)'],
    ['SimpleAggregateFunction(sum, Nullable(UInt64))', 'UInt64'],
    ['SimpleAggregateFunction(groupArrayArray(3), Array(UInt8))', 'Array(UInt8)'],
    ['Array(Nullable(String))', 'Array(Nullable(String))'],
    ['Nullable(', 'Nullable('],
    ['Nullable()', ''],
    ['Nullable(String', 'Nullable(String'],
    ['', ''],
  ])('%s is %s', (type, inner) => {
    expect(innerType(type)).toBe(inner);
  });

  it('is found in one pass, however deep it lies', () => {
    const depth = 200_000;
    for (const wrapper of ['Nullable', 'LowCardinality', 'SimpleAggregateFunction(any, Nullable'])
      expect(innerType(nested(wrapper, 'UInt8', depth).replaceAll('any, Nullable(', 'any, '))).toBe('UInt8');
    expect(clickhouseKind(nested('Nullable', 'UInt8', depth))).toBe('integer');
    expect(isNullableType(nested('LowCardinality', 'UInt8', depth))).toBe(false);
    const time = nested('Nullable', "DateTime('Asia/Tokyo')", depth);
    expect(kindInSession(time, { isIso: false, serverZone: 'UTC' })).toBe('timestamp');
    expect(clickhouseKind(`SimpleAggregateFunction(${'a('.repeat(depth)}`)).toBe('other');
  });
});

describe('the depth of a type', () => {
  it('is bounded, and what lies deeper is told by the name of its column', () => {
    for (const wrapper of ['Nullable', 'Array', 'Tuple'])
      expect(() => assertTypeDepth(nested(wrapper, 'UInt8', 100_000), () => 'deep')).toThrow(
        'The type of the column deep is nested deeper than 200 levels.',
      );
    expect(() => assertTypeDepth(nested('Array', 'UInt8', 201), () => 'deep')).toThrow('nested deeper');
    expect(() => assertTypeDepth(nested('Array', 'UInt8', 200), () => 'deep')).not.toThrow();
  });

  it('counts no bracket of a quoted name', () => {
    const quoted = '('.repeat(300);
    for (const type of [
      `Enum8('${quoted}' = 1, '\\'${quoted}' = 2)`,
      `Tuple(\`${quoted}\` String)`,
      `Tuple("${quoted}" String)`,
    ])
      expect(() => assertTypeDepth(type, () => 'names')).not.toThrow();
  });
});
