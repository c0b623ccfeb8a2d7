import { describe, expect, test } from 'vitest';
import { code, htmlPage, plain, table } from './markdown.ts';

describe('text in Markdown', () => {
  test('of people stays text', () => {
    expect(plain('# a *b* `c`\n| <i>d</i> [e](f)')).toBe(
      '\\# a \\*b\\* \\`c\\` \\| \\<i\\>d\\</i\\> \\[e\\](f)',
    );
    const html = htmlPage('t', plain('<script>x</script> [a](javascript:x) ![i](https://e/x.png) *b*'));
    expect(html).not.toMatch(/<script>|<img|<a |<em>/);
    expect(html).toContain('&lt;script&gt;');
  });

  test('a name stays code, whatever it holds', () => {
    for (const name of ['orders', 'a`b', '``', 'a|b', '`', 'a\nb']) {
      const html = htmlPage('t', table(['Name'], [[code(name)]]));
      expect([name, html.match(/<td><code>([^<]*)<\/code><\/td>/)?.[1]]).toEqual([
        name,
        name.replace('\n', ' '),
      ]);
    }
  });

  test('the title of a page is no HTML', () => {
    expect(htmlPage('<img src=x>', '')).not.toContain('<img');
  });
});
