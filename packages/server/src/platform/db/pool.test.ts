import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { metadataTypes, parseTimestamp, timestampText } from './pool.ts';

const timestamptzOid = 1184;
const ordinary = pg.types.getTypeParser(timestamptzOid, 'text') as (text: string) => unknown;

describe('times of the metadata database', () => {
  test.each([
    '2026-11-21 08:19:28.123456+00',
    '2026-11-21 08:19:28.999999+00',
    '2026-11-21 08:19:28.1+00',
    '2026-11-21 08:19:28+00',
    '0044-03-15 12:00:00+00',
    '2024-02-29 23:59:59.5+00',
    '2026-11-21 08:19:28.5+05:30',
    '2026-11-21 08:19:28-03',
    '12026-11-21 08:19:28+00',
    '0044-03-15 12:00:00+00 BC',
    'infinity',
    '-infinity',
  ])('are read as the driver reads them: %s', (text) => {
    const time = ordinary(text);
    expect(parseTimestamp(text)).toEqual(time);
    expect(timestampText(text)).toBe(time instanceof Date ? time.toISOString() : text);
  });
});

describe('numbers of the metadata database', () => {
  const int8 = metadataTypes.getTypeParser(20, 'text') as (text: string) => number;

  test('are exact or refused', () => {
    expect(int8('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => int8('9007199254740992')).toThrow('too large to be exact');
  });
});
