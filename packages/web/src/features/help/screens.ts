import { contentsPath } from './help-page.ts';

/** Documentation page of each screen, by the prefix of the screen's path. The longest matching prefix applies. */
export const pagesOfScreens: Readonly<Record<string, string>> = {
  '/home': contentsPath,
  '/first-alert': 'guides/first-alert.md',
  '/subscriptions': 'guides/subscriptions.md',
  '/notifications': 'guides/subscriptions.md',
  '/control-tower': 'guides/subscriptions.md',
  '/tasks': 'guides/subscriptions.md',
  '/recipients': 'guides/recipients.md',
  '/approvals': 'guides/recipients.md',
  '/data-sources': 'guides/data-sources.md',
  '/projects': 'guides/people-and-keys.md',
  '/queries': 'guides/queries.md',
  '/data-quality': 'guides/data-contracts.md',
  '/migration-jobs': 'guides/data-migration.md',
  '/migration-history': 'guides/data-migration.md',
  '/ask': 'guides/asking.md',
  '/evaluation': 'guides/asking.md',
  '/ai-actors': 'guides/ai-actors.md',
  '/mcp-playground': 'guides/mcp-clients.md',
  '/mcp-settings': 'guides/mcp-clients.md',
  '/mcp-learning': 'guides/mcp-clients.md',
  '/api-keys': 'guides/people-and-keys.md',
  '/users': 'guides/people-and-keys.md',
  '/settings': 'guides/people-and-keys.md',
  '/audit': 'guides/people-and-keys.md',
  '/admin-settings': 'settings.md',
  '/about': contentsPath,
};

/** Returns the documentation page for the screen at a path below `/svc`. */
export function pageOfScreen(path: string): string {
  const [, page] = Object.entries(pagesOfScreens)
    .filter(([start]) => path === start || path.startsWith(`${start}/`))
    .reduce(
      ([longest, nearest], [start, one]) =>
        start.length > longest.length ? [start, one] : [longest, nearest],
      ['', contentsPath],
    );
  return page;
}
