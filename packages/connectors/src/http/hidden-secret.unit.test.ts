import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from './client.ts';
import { readErrorText } from './error-text.ts';
import { hiddenSecret, hideAll } from './hidden-secret.ts';

const secret = 'pl4nted s3cret/+&"\'ä\\';
const { hide, lengthMax } = hiddenSecret(secret, ['cmVhZGVyOnMzY3JldA==']);

describe('a secret in a message', () => {
  it.each([
    ['without encoding', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL with encoded apostrophes', encodeURIComponent(secret).replace("'", '%27')],
    ['in a URL with lower-case hexadecimal digits', "pl4nted%20s3cret%2f%2b%26%22'%c3%a4%5c"],
    ['in a form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replace('/', '\\/')],
    ['in ASCII-only JSON', 'pl4nted s3cret/+&\\"\'\\u00e4\\\\'],
    ['in ASCII-only JSON with upper-case digits', 'pl4nted s3cret/+&\\"\'\\u00E4\\\\'],
    ['in an SQL string', secret.replaceAll(/['\\]/g, '\\$&')],
    ['in HTML', 'pl4nted s3cret/+&amp;&quot;&#39;ä\\'],
    ['in HTML with hexadecimal references', 'pl4nted s3cret/+&amp;&quot;&#x27;ä\\'],
    ['in the text of an HTML element', 'pl4nted s3cret/+&amp;"\'ä\\'],
    ['as the bytes of a header', Buffer.from(secret).toString('latin1')],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in the form that the caller provides', 'cmVhZGVyOnMzY3JldA=='],
  ])('is hidden %s', (_name, form) => {
    expect(hide(`The key ${form} is wrong, ${form}.`)).toBe('The key ••• is wrong, •••.');
    expect(form.length).toBeLessThanOrEqual(lengthMax);
  });

  it('hides nothing if it is empty, and special characters do not act as a pattern', () => {
    expect(hiddenSecret('', ['x']).hide('xyz')).toBe('xyz');
    expect(hiddenSecret('$&.*').hide('a $&.* b')).toBe('a ••• b');
    expect(hiddenSecret('\ud800x').hide('a \ud800x b \ufffdx')).toBe('a ••• b •••');
  });
});

describe('the text of a truncated response', () => {
  const read = (chunks: readonly (string | Buffer)[], isBroken = false) => {
    async function* body() {
      for (const chunk of chunks) yield Buffer.from(chunk);
      if (isBroken) throw new Error('The connection is lost.');
    }
    const answer: HttpAnswer = { status: 500, header: () => undefined, body: body(), isEndMarked: true };
    return readErrorText(answer, hiddenSecret('0123456789'));
  };
  const bytesMax = 65_536 + 60;

  it('contains no part of a secret that is truncated', async () => {
    for (let startLength = 0; startLength <= 10; startLength++) {
      const start = '0123456789'.slice(0, startLength);
      const spaces = ' '.repeat(bytesMax - startLength);
      for (const { text } of [
        await read([`${spaces}${start}`, '0123456789'.slice(startLength), ' ']),
        await read([`${spaces}0123456789 `]),
        await read([`words ${start}`], true),
      ])
        expect(hiddenSecret('0123456789').hide(text)).not.toMatch(/\d/);
    }
  });

  it('is complete up to the limit', async () => {
    const text = ' '.repeat(bytesMax - 5);
    expect(await read([text, 'words'])).toEqual({ text: `${text}words` });
    expect(await read([text, 'words ', 'more'])).toEqual({ text: ' '.repeat(65_536) });
    expect(await read(['words ', 'w'.repeat(100)], true)).toEqual({
      text: expect.stringMatching(/^words w+$/),
      failure: new Error('The connection is lost.'),
    });
  });

  it('hides a secret completely if another secret is a part of it, in any order', () => {
    const parts = ['s3cret', 'pl4nted-s3cret/1'];
    for (const secrets of [parts, parts.toReversed()]) {
      expect(hideAll('pl4nted-s3cret/1, s3cret', secrets)).toBe('•••, •••');
      expect(hideAll('pl4nted-s3cret%2F1', secrets)).toBe('•••');
    }
  });

  it('hides several secrets, even if one of them is empty', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n';
    const text = `No key: {"k":${JSON.stringify(key)}}, nor ${encodeURIComponent(secret)}.`;
    expect(hideAll(text, [key, '', secret])).toBe('No key: {"k":"•••"}, nor •••.');
  });
});
