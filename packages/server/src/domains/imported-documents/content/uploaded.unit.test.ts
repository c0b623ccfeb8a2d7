import { expect, test } from 'vitest';
import { documentBytesMax } from '../types.ts';
import { reduceHtml } from './html-text.ts';
import { parseUpload } from './uploaded.ts';

const parse = (content: string | Buffer, name = 'orders.md') => parseUpload(name, Buffer.from(content));
const contentOf = (content: string, name?: string) => {
  const upload = parse(content, name);
  return 'refusal' in upload ? upload : upload.document.content;
};
const refusalOf = (content: string | Buffer, name?: string) => {
  const upload = parse(content, name);
  return 'refusal' in upload ? upload.refusal : undefined;
};

const page = `<!DOCTYPE html><html><head><title>Orders &amp; lines</title><style>b { color: red }</style>
  <script>alert('never')</script></head><body onload="alert(1)"><h1>Orders</h1>
  <p>An <b>order</b> is&nbsp;late after <!-- 5 -->3 days, when a &lt; b.</p>
  <ul><li>One</li><li>Two</li></ul><table><tr><th>Id</th><th>State</th></tr><tr><td>1</td><td>open</td></tr></table>
  <svg><title>Drawing</title><style>x{}</style></svg><pre>a
  b</pre><template>hidden</template><a href="javascript:alert(1)">Read on</a></body></html>`;

test('HTML is reduced to its text, without scripts, styles, comments and attributes', () => {
  const text = [
    '# Orders',
    '',
    'An order is late after 3 days, when a < b.',
    '',
    '- One',
    '- Two',
    '',
    'Id\tState',
    '1\topen',
    '',
    'a',
    '  b',
    '',
    'Read on',
  ].join('\n');
  expect(reduceHtml(page)).toEqual({ title: 'Orders & lines', text });
});

test.each([
  ['an unclosed script', 'Text<script>alert(1)', 'Text'],
  ['a script that a comment seems to end', '<script><!-- </scriptx> --> alert(1)</script>Text', 'Text'],
  ['nested elements that are skipped', '<object><object>a</object>b</object>Text', 'Text'],
  ['a slash that HTML ignores', '<iframe/>hidden</iframe>Text', 'Text'],
  ['an entity of a control character', 'a&#1;&#27;[31mb', 'a[31mb'],
  ['an entity of an unpaired surrogate', 'a&#xD800;b', 'a\ufffdb'],
  ['an unclosed tag', 'Text<b onclick="', 'Text'],
  ['headings and items without text', '<h2></h2><li></li>Text', 'Text'],
  ['cells without end tags', '<table><tr><td>id<td>int<td>key<tr><td>1</table>', 'id\tint\tkey\n1'],
  ['an empty cell', '<table><tr><td>id</td><td></td><td>key</td></tr></table>', 'id\t\tkey'],
  ['an empty first cell', '<table><tr><td></td><td>key</td></tr></table>after', '\tkey\n\nafter'.trim()],
  ['paragraphs in cells', '<table><tr><td><p>a</p><p>b</p></td><td><div>c</div></td></tr></table>', 'a b\tc'],
  ['a table in a cell', '<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>', 'a\n\nb\tc\n\n\td'],
])('HTML with %s is reduced to its text', (_what, html, text) => {
  expect(reduceHtml(html).text).toBe(text);
});

test('HTML with hostile nesting of the maximum size is reduced: an unmatched end tag searches no stack', () => {
  const half = documentBytesMax / 2;
  for (const [open, close] of [
    ['<b>', '</i>'],
    ['<div>', '</p>'],
    ['<svg>', '</b>'],
  ] as const) {
    const html = open.repeat(Math.floor(half / open.length)) + close.repeat(Math.floor(half / close.length));
    expect(reduceHtml(`${html}`).text).toBe('');
  }
});

test('the type is recognised by content: HTML under any name is reduced, and Markdown with markup is unchanged', () => {
  expect(contentOf(page, 'orders.txt')).toMatch(/^# Orders/);
  expect(contentOf(`\n<!-- made by hand -->\n${page}`)).toMatch(/^# Orders/);
  expect(contentOf('<?xml version="1.0"?>\n<!DOCTYPE html><html><body>Text</body></html>')).toBe('Text');
  expect(contentOf('<p>One <b>row</b></p>', 'orders.html')).toBe('One row');
  expect(contentOf('<p align="center">Logo</p>\n\n# Orders')).toBe('<p align="center">Logo</p>\n\n# Orders');
  expect(contentOf('a < b and b > c', 'orders.html')).toBe('a < b and b > c');
  expect(contentOf('\ufeff---\ntitle: Orders\n---\nText')).toBe('Text');
});

test.each([
  ['an empty file', '', 'The file is empty.'],
  ['bytes that are not UTF-8', Buffer.from([0x41, 0xff, 0xfe]), 'It is not text in UTF-8.'],
  ['UTF-16', Buffer.from('Text', 'utf16le'), 'It is not text in UTF-8.'],
  ['control characters', 'a\u001b[31m', 'It is not text in UTF-8.'],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'It is not text in UTF-8.'],
  ['a PDF of text characters', '%PDF-1.7\n1 0 obj', 'It is a PDF.'],
  ['RTF', '{\\rtf1 Text}', 'It is RTF.'],
  ['PostScript', '%!PS-Adobe-3.0', 'It is PostScript.'],
  ['XML', '<?xml version="1.0"?><orders/>', 'It is XML and not HTML.'],
  ['an unclosed comment', '<!-- a', undefined],
  ['HTML without text', '<html><script>alert(1)</script></html>', 'It has no text.'],
  ['front matter alone', '---\ntitle: Orders\n---\n', 'It has no text.'],
])('an upload is refused with the reason for %s', (_what, content, refusal) => {
  expect(refusalOf(content)).toBe(refusal);
});
