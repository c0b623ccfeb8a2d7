import { describe, expect, it } from 'vitest';
import { snowflakeError } from './errors.ts';
import { createSnowflakeConnector } from './index.ts';

const connection = createSnowflakeConnector().settings.parse({
  host: 'x.snowflake.test',
  user: 'svc',
  signIn: 'AccessToken',
  accessToken: 's3cret',
  role: 'reader',
  warehouse: 'work',
  database: 'shop',
});
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJBIn0.c2lnbmF0dXJl';
const messageOf = (message: string, change: Partial<typeof connection> = {}) =>
  snowflakeError(422, { message }, { ...connection, ...change }, { sql: 'select 1', linesBefore: 0 })
    ?.message;

describe('messages of Snowflake', () => {
  it.each([
    [`a ${jwt} b`, 'a ••• b'],
    [`x${jwt}`, 'x•••'],
    [`eyJ.eyJ ${jwt}.more`, 'eyJ.eyJ •••.more'],
    ['eyJhbGci.eyJzdWIi', 'eyJhbGci.eyJzdWIi'],
    ['No\n such \t s3cret', 'No such •••'],
  ])('%j are reported as %j', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('contain no part of a secret that includes a token-like text', () => {
    const accessToken = `before-/${jwt}/behind`;
    expect(messageOf(`No ${accessToken}.`, { accessToken })).toBe('No •••.');
  });

  it.each([
    ['spaces', ' '],
    ['starts of tokens', 'eyJ'],
    ['tokens of one part', 'eyJa.'],
    ['tokens of two parts', 'eyJa.b '],
    ['places', 'line 1 at position '],
  ])('with endless %s are limited in length', (_name, unit) => {
    for (const before of ['', 'x ', 'eyJ'])
      for (const after of ['', 'x', '.'])
        expect(
          messageOf(`${before}${unit.repeat(1_000_000 / unit.length)}${after}`)?.length ?? 0,
        ).toBeLessThanOrEqual(2_000);
  });
});
