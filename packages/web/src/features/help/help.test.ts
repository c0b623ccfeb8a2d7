import { describe, expect, test } from 'vitest';
import { readDocumentation } from '../../../tools/documentation.ts';
import { contentsPath, createAnchors, readHelpPage, readLink, sectionsOf } from './help-page.ts';
import { helpPages } from './pages-of-build.ts';
import { pageOfScreen, pagesOfScreens } from './screens.ts';
import { createHelpSearch } from './search-help.ts';
import { goBack, goTo, openTrail, presentPlace, readTo } from './trail.ts';

describe('help pages', () => {
  test('are the pages that the build serves as text, without decision records', () => {
    expect([...helpPages.keys()].sort()).toEqual([...readDocumentation().keys()].sort());
    expect([...helpPages.keys()].filter((path) => path.startsWith('adr/'))).toEqual([]);
    expect(helpPages.get('settings.md')?.text).toContain('`Svc:BaseUrl`');
  });

  test('do not show comments for writers', () => {
    expect(readHelpPage('a.md', '# A `b`\n\n<!-- Written\nby x. -->\n\nText').text).toBe('# A `b`\n\nText');
    expect(readHelpPage('a.md', '# A `b`\n').title).toBe('A b');
  });

  test('have the heading anchors that code hosts generate', () => {
    const anchorOf = createAnchors();
    expect(['How a run ends', '`Svc:Query`', 'What to do?', 'A – b', 'What to do?'].map(anchorOf)).toEqual([
      'how-a-run-ends',
      'svcquery',
      'what-to-do',
      'a--b',
      'what-to-do-1',
    ]);
  });

  test('do not treat a line of code as a heading', () => {
    const page = readHelpPage('a.md', '# A\n\none\n\n```sh\n# not one\n```\n\n## B\n\ntwo');
    expect(sectionsOf(page).map(({ id, text }) => [id, text])).toEqual([
      ['a.md#a', 'one\n\n# not one'],
      ['a.md#b', 'two'],
    ]);
  });
});

describe('links in help pages', () => {
  const pages = new Set(['README.md', 'settings.md', 'guides/jobs.md']);

  test.each([
    ['guides/jobs.md', '../settings.md#svcquery', { kind: 'page', page: 'settings.md', anchor: 'svcquery' }],
    ['guides/jobs.md', '#limits', { kind: 'page', page: 'guides/jobs.md', anchor: 'limits' }],
    ['guides/jobs.md', 'jobs.md', { kind: 'page', page: 'guides/jobs.md', anchor: '' }],
    ['guides/jobs.md', 'https://example.org/', { kind: 'outside', href: 'https://example.org/' }],
    ['guides/jobs.md', '../adr/jobs-engine.md', { kind: 'nowhere' }],
    ['settings.md', '../README.md', { kind: 'nowhere' }],
    ['settings.md', 'javascript:alert(1)', { kind: 'nowhere' }],
    ['settings.md', '//example.org/x', { kind: 'nowhere' }],
    ['settings.md', '/svc/home', { kind: 'nowhere' }],
  ] as const)('on the page %s, the link %s leads to the expected target', (from, href, expected) => {
    expect(readLink(from, href, pages)).toEqual(expected);
  });
});

describe('help pages of screens', () => {
  test('exist for each screen', () => {
    expect(Object.values(pagesOfScreens).filter((page) => !helpPages.has(page))).toEqual([]);
  });

  test.each([
    ['/queries/12/edit', 'guides/queries.md'],
    ['/data-sources', 'guides/data-sources.md'],
    ['/settings', 'guides/people-and-keys.md'],
    ['/settingsx', contentsPath],
  ])('%s opens the expected page', (path, page) => {
    expect(pageOfScreen(path)).toBe(page);
  });
});

describe('help search', () => {
  const search = createHelpSearch(helpPages.values());

  test.each([
    ['Svc:ApiKeys:MaxLifetimeDays', 'settings.md'],
    ['lifetime days', 'settings.md'],
    ['restore backup', 'guides/operating.md'],
    ['signtures', 'guides/webhook-signatures.md'],
    ['parquet', 'guides/data-sources.md'],
  ])('lists for %s the page %s among the first three', (text, page) => {
    expect(
      search(text)
        .slice(0, 3)
        .map((hit) => hit.page),
    ).toContain(page);
  });

  test('shows the text around a match, and returns no result if no page matches', () => {
    const [first] = search('quiet hours');
    expect(first?.excerpt.toLowerCase()).toContain('quiet');
    expect(search('zzzzqqq')).toEqual([]);
    expect(search('?!')).toEqual([]);
  });
});

describe('last position in the help', () => {
  const home = openTrail('README.md', undefined);

  test('is restored when the same screen opens the help again', () => {
    const trail = readTo(goTo(home, 'settings.md', 'svcquery'), 300);
    expect(presentPlace(openTrail('README.md', trail))).toEqual({
      page: 'settings.md',
      anchor: '',
      top: 300,
    });
  });

  test('is one step back after another screen has opened its own page', () => {
    const opened = openTrail('guides/jobs.md', readTo(goTo(home, 'settings.md'), 300));
    expect(presentPlace(opened)).toEqual({ page: 'guides/jobs.md', anchor: '', top: 0 });
    expect(presentPlace(goBack(opened))).toEqual({ page: 'settings.md', anchor: '', top: 300 });
    expect(goBack(home)).toBe(home);
  });

  test('is the last of at most twenty stored places', () => {
    let trail = home;
    for (let step = 0; step < 50; step++) trail = goTo(trail, `page-${step}.md`);
    expect(trail.places).toHaveLength(20);
    expect(presentPlace(trail).page).toBe('page-49.md');
  });
});
