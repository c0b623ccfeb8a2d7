import { describe, expect, test } from 'vitest';
import { readDocument } from './document-text.ts';

describe('an OpenAPI document', () => {
  test('in JSON remains unchanged', async () => {
    const text = '\n{ "openapi" : "3.1.0",\n "paths": {} }';
    expect(await readDocument(text)).toEqual({ json: text });
    expect(await readDocument('  ')).toEqual({ json: '' });
  });

  test('in YAML is converted to JSON, with references, comments and keys that look like numbers', async () => {
    const text = [
      'openapi: 3.1.0 # the version',
      'paths:',
      '  /orders:',
      '    get: &read',
      '      summary: |',
      '        All orders',
      '      responses:',
      '        200: {description: "Good: all"}',
      '  /people: {get: *read}',
    ].join('\n');
    const read = await readDocument(text);
    const get = { summary: 'All orders\n', responses: { 200: { description: 'Good: all' } } };
    expect('json' in read && JSON.parse(read.json)).toEqual({
      openapi: '3.1.0',
      paths: { '/orders': { get }, '/people': { get } },
    });
  });

  test.each([
    ['{"paths": }', /^Not readable as JSON\. .+/],
    ['paths:\n  - a\n b: c', /^Not readable as YAML\. .*line 3/],
    ['just words', /^This is neither JSON nor YAML with members\.$/],
  ])('%j is refused with the reason', async (text, reason) => {
    expect(await readDocument(text)).toEqual({ fault: expect.stringMatching(reason) });
  });

  test('is refused if its aliases expand to an excessive size', async () => {
    const bomb = Array.from(
      { length: 12 },
      (_, at) =>
        `a${at}: &a${at} [${
          at === 0
            ? 'x'
            : Array(9)
                .fill(`*a${at - 1}`)
                .join(', ')
        }]`,
    ).join('\n');
    expect(await readDocument(bomb)).toEqual({ fault: expect.stringMatching(/alias/i) });
  });
});
