import { describe, expect, it } from 'vitest';
import { curlOf } from './api/curl.ts';
import { redact, redactBody, sensitiveName } from './redact.ts';

describe('redaction of values', () => {
  it('masks the members with sensitive names at every depth', () => {
    const value = {
      user: 'ada',
      password: 'p',
      nested: [{ apiKey: 'k', 'API-Key': 'k', note: null, accessToken: { deep: 1 } }],
      connectionString: 'c',
      secret: null,
    };
    expect(redact(value, sensitiveName)).toEqual({
      user: 'ada',
      password: '***',
      nested: [{ apiKey: '***', 'API-Key': '***', note: null, accessToken: '***' }],
      connectionString: '***',
      secret: null,
    });
  });

  it('is limited to the depth that can be shown', () => {
    let value: unknown = 'end';
    for (let depth = 0; depth < 5_000; depth++) value = { a: value };
    expect(JSON.stringify(redact(value, sensitiveName)).length).toBeLessThan(1_000);
  });

  it.each([
    ['{"password":"p","a":1}', '{"password":"***","a":1}'],
    ['[{"token":[1,2]}]', '[{"token":"***"}]'],
    // Cut at the end of the capture.
    ['{"a":"b","password":"hunt', '{"a":"b","password":"***"'],
    ['{"password":"p","a":"long te', '{"password":"***","a":"long te'],
    ['{"secret":{"a":1,"b', '{"secret":"***"'],
    ['{"pass\\u0077ord":"p","x', '{"pass\\u0077ord":"***","x'],
    ['user=ada&password=p&x=1', 'user=ada&password=***&x=1'],
    ['plain text', 'plain text'],
    ['', ''],
  ])('masks sensitive members in the body %s', (body, shown) => {
    expect(redactBody(body, sensitiveName)).toBe(shown);
  });
});

describe('the curl command of a call', () => {
  const call = { method: 'POST', routeTemplate: '/a/{id}', requestHeaders: null, requestBody: null };

  it('quotes every value for the shell', () => {
    const command = curlOf({
      ...call,
      requestHeaders: {
        host: 'api.example:8080',
        'x-a': `$(id) \`id\` "q" 'w' \r\nx-evil: 1`,
        'content-length': '3',
      },
      requestBody: `it's; rm -rf / #`,
    });
    expect(command).toBe(
      [
        `curl -X 'POST' 'https://api.example:8080/a/{id}'`,
        `-H 'x-a: $(id) \`id\` "q" '\\''w'\\''  x-evil: 1'`,
        `--data-raw 'it'\\''s; rm -rf / #'`,
      ].join(' \\\n  '),
    );
  });

  it('does not contain an invalid host', () => {
    const command = curlOf({ ...call, requestHeaders: { host: `x' -o /etc/passwd '` } });
    expect(command).toContain('https://host.example/a/{id}');
  });
});
