import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { code, htmlPage, plain, table, withoutReach } from './markdown.ts';

describe('text in Markdown', () => {
  test('of users remains text', () => {
    expect(plain('# a *b* `c`\n| <i>d</i> [e](f)')).toBe(
      '\\# a \\*b\\* \\`c\\` \\| \\<i\\>d\\</i\\> \\[e\\](f)',
    );
    const html = htmlPage('t', plain('<script>x</script> [a](javascript:x) ![i](https://e/x.png) *b*'));
    expect(html).not.toMatch(/<script>|<img|<a |<em>/);
    expect(html).toContain('&lt;script&gt;');
  });

  test('a name remains code, regardless of its characters', () => {
    for (const name of ['orders', 'a`b', '``', 'a|b', '`', 'a\nb']) {
      const html = htmlPage('t', table(['Name'], [[code(name)]]));
      expect([name, html.match(/<td><code>([^<]*)<\/code><\/td>/)?.[1]]).toEqual([
        name,
        name.replace('\n', ' '),
      ]);
    }
  });

  test('HTML in the title of a page is escaped', () => {
    expect(htmlPage('<img src=x>', '')).not.toContain('<img');
  });
});

describe('Markdown from a model', () => {
  // Renders as a program with HTML enabled.
  const render = (markdown: string) => new MarkdownIt({ html: true, linkify: false }).render(markdown);

  test.each([
    '<script>alert(1)</script>',
    'a <img src=https://evil.example/i.png onerror=x> b',
    '![i](https://evil.example/i.png)',
    '[x](https://evil.example) and [y](javascript:alert(1))',
    '[x][1]\n\n[1]: https://evil.example',
    '![x][1]\n\n[1]: <https://evil.example>',
    '<https://evil.example>',
    '<!-- a comment -->\n\n<div>\nblock\n</div>',
    'a \\\\<script>x</script>',
    '| a |\n|---|\n| <b>x</b> [y](//evil.example) |',
    '> ![i](data:image/png;base64,AAAA)\n> <a href=x>y</a>',
  ])('has no HTML, images and links after the conversion: %j', (markdown) => {
    const html = render(withoutReach(markdown));
    expect(html).not.toMatch(/<(script|img|a|div|b)\b|<!--/);
  });

  test('remains unchanged without HTML, images and links', () => {
    const markdown = '# Title\n\n- *one* `a[0](x)` \\<b\\>\n\n| a | b |\n|---|---|\n| 1 < 2 | ! |\n';
    expect(withoutReach(markdown)).toBe(markdown);
  });

  test('retains the content of code next to a link', () => {
    const html = render(withoutReach('[x](y)\n\n```sql\nselect a[1] from t where a <b and c != d\n```\n'));
    expect(html).toContain('select a[1] from t where a &lt;b and c != d');
    expect(html).not.toContain('<a ');
  });
});
