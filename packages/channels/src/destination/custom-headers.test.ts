import { describe, expect, test } from 'vitest';
import { isNeverAllowedHeader, parseCustomHeaders } from './custom-headers.ts';

const refusal = (value: unknown, allowed: string[] = []) => {
  const result = parseCustomHeaders(value, allowed);
  return result.ok ? 'ok' : result.refusal;
};
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_item, index) => [`X-Extra-${index}`, 'v']));

describe('custom headers', () => {
  test('accept the four standard names in any case, with values of up to 4,096 characters', () => {
    const headers = {
      Authorization: 'Bearer x',
      'api-key': 'é',
      'X-API-KEY': 'v'.repeat(4_096),
      'Ocp-Apim-Subscription-Key': '',
    };
    expect(parseCustomHeaders(headers)).toEqual({ ok: true, headers });
    expect(parseCustomHeaders({})).toEqual({ ok: true, headers: {} });
  });

  test('require a setting for other names', () => {
    expect(refusal({ 'X-Team': 'v' })).toBe('NameNotAllowed');
    expect(refusal({ 'X-Team': 'v' }, ['x-team'])).toBe('ok');
    expect(refusal({ 'x-team': 'v' }, [' X-Team '])).toBe('ok');
  });

  test('no setting allows a header that controls the connection, routing, cookies or metadata access', () => {
    const never =
      'Host Content-Type Content-Length Content-Encoding Transfer-Encoding Connection Keep-Alive Upgrade TE Trailer Expect Cookie Set-Cookie Cookie2 X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto Forwarded Via X-Real-IP True-Client-IP CF-Connecting-IP Proxy-Authorization Proxy-Connection Metadata Metadata-Flavor X-Google-Metadata-Request X-aws-ec2-metadata-token X-aws-ec2-metadata-token-ttl-seconds X-Metadata-Token X-Identity-Header X-Original-URL X-Rewrite-URL X-HTTP-Method-Override Origin Referer Range User-Agent Sec-Fetch-Site Access-Control-Allow-Origin webhook-signature webhook-id';
    for (const name of never.split(' ')) {
      expect([name, isNeverAllowedHeader(name)]).toEqual([name, true]);
      for (const written of [name, name.toLowerCase(), name.toUpperCase()])
        expect([written, refusal({ [written]: 'v' }, [name])]).toEqual([written, 'NameNeverAllowed']);
    }
  });

  test('are limited to twenty', () => {
    const allowed = Object.keys(many(21));
    expect(refusal(many(20), allowed)).toBe('ok');
    expect(refusal(many(21), allowed)).toBe('TooMany');
  });

  test('must have string values of at most 4,096 sendable characters', () => {
    for (const value of [1, true, null, undefined, {}, ['v']])
      expect(refusal({ 'X-Api-Key': value })).toBe('ValueNotText');
    expect(refusal({ 'X-Api-Key': 'v'.repeat(4_097) })).toBe('ValueTooLong');
    for (const control of ['\r', '\n', '\r\nX: y', '\0', '\t', '\u007f', '\u0085', '\u001b'])
      expect(refusal({ 'X-Api-Key': `a${control}b` })).toBe('ValueHasControlCharacters');
    for (const value of ['日本', '👍', '\ud800'])
      expect(refusal({ 'X-Api-Key': value })).toBe('ValueNotSendable');
  });

  test('must have names that are valid tokens and do not repeat', () => {
    for (const name of ['', ' ', 'X Api', 'X:Y', 'X-Api-Key ', 'X\r\nY', 'é', '"x"', 'x'.repeat(129)])
      expect(refusal({ [name]: 'v' }, [name])).toBe('NameInvalid');
    expect(refusal({ 'X-Api-Key': 'a', 'x-api-key': 'b' })).toBe('NameRepeated');
  });

  test('refuse a value that is not an object', () => {
    for (const value of [null, undefined, 1, 'x', '{}', [], [['X-Api-Key', 'v']], true])
      expect(refusal(value)).toBe('NotAnObject');
  });

  test('do not change a prototype through a name such as __proto__ from JSON', () => {
    const hostile = JSON.parse('{"__proto__":"v"}') as unknown;
    expect(refusal(hostile)).toBe('NameNotAllowed');
    expect(parseCustomHeaders(hostile, ['__proto__'])).toMatchObject({ ok: true });
    expect(({} as Record<string, unknown>)['v']).toBeUndefined();
  });

  test('a refusal contains the name of the header and never its value', () => {
    const result = parseCustomHeaders({ 'X-Api-Key': 's3cret\n' });
    expect(!result.ok && result.message).toBe(
      'The header "X-Api-Key" must have a value without control characters.',
    );
  });
});
