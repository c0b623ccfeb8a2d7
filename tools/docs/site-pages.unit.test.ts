import { describe, expect, test } from 'vitest';
import { type HelpPage, readHelpPage } from '../../packages/web/src/features/help/help-page.ts';
import { sitePage, siteSidebar } from './site-pages.ts';

const pages = new Map(
  [
    readHelpPage(
      'README.md',
      '# Docs\n\n## Use\n\n- [Jobs](guides/jobs.md): about\n- [Out](https://example.org)\n\n## More of it\n\n- [Settings](settings.md)\n',
    ),
    readHelpPage(
      'guides/jobs.md',
      '# Jobs "and more"\n\nSee [`x` here](../settings.md#svcquery), [out](https://example.org), [why](../adr/x.md) and [all](../README.md).\n\n```md\n[as it is](../settings.md)\n```\n',
    ),
    readHelpPage('settings.md', '# Settings\n'),
    readHelpPage('scaling.md', '# Scaling out\n'),
  ].map((page) => [page.path, page]),
);
const pageOf = (path: string): HelpPage => {
  const page = pages.get(path);
  if (!page) throw new Error(`There is no ${path}.`);
  return page;
};

describe('a page of the site', () => {
  const text = sitePage(pageOf('guides/jobs.md'), pages);

  test('has its title in its head, and not a second time', () => {
    expect(text).toMatch(/^---\ntitle: "Jobs \\"and more\\""\n---\n\nSee /);
  });

  test('links to the addresses of other pages, relative to its own folder', () => {
    expect(text).toContain(
      '[`x` here](../../settings/#svcquery), [out](https://example.org), why and [all](../../).',
    );
    expect(sitePage(pageOf('README.md'), pages)).toContain('[Jobs](guides/jobs/)');
  });

  test('leaves code unchanged', () => {
    expect(text).toContain('[as it is](../settings.md)');
  });
});

test('the navigation follows the page of contents and omits no page', () => {
  expect(siteSidebar(pageOf('README.md'), pages)).toEqual([
    { label: 'Use', items: [{ label: 'Jobs', slug: 'guides/jobs' }] },
    { label: 'More of it', items: [{ label: 'Settings', slug: 'settings' }] },
    { label: 'More', items: [{ label: 'Scaling out', slug: 'scaling' }] },
  ]);
});
