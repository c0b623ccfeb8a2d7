import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Equal in their first 63 characters. */
const alike = 'Monthly reconciliation of card payments with the ledger of the ';
const names = [`${alike}northern branch`, `${alike}southern branch`];
const widths = [320, 768, 1440, 1920] as const;
/**
 * Widths at which names are fully visible. At 768 px other columns truncate them, and only the title shows them in
 * full.
 */
const wholeAt: readonly number[] = [320, 1440, 1920];

/** Returns the texts of table cells that are not truncated. */
const shownWhole = `[...document.querySelectorAll('main table td')].flatMap((cell) => {
  const texts = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  const shown = cell.getBoundingClientRect();
  return texts.filter((node) => {
    const text = document.createRange();
    text.selectNodeContents(node);
    const whole = text.getBoundingClientRect();
    return whole.width > 0 && whole.right <= shown.right && whole.bottom <= shown.bottom;
  }).map((node) => node.textContent);
})`;

/** Returns the widths of the first columns, which contain names, in pixels. */
const firstColumns = `[...document.querySelectorAll('main table')].map((table) =>
  [...table.querySelectorAll('thead th')].find((cell) => cell.innerText.trim() !== '')?.clientWidth ?? 0)`;
/** Width of a long word of a name. */
const nameWidthMin = 96;

const lists: readonly (readonly [path: string, heading: string])[] = [
  ['/projects', 'Projects'],
  ['/queries', 'Queries'],
  ['/recipients', 'Recipients'],
  ['/subscriptions', 'Subscriptions'],
  ['/notifications', 'Notifications'],
  ['/api-keys', 'API keys'],
];
/** Lists whose names this test does not create. */
const others: readonly (readonly [path: string, heading: string])[] = [
  ['/data-sources', 'Data sources'],
  ['/users', 'Users'],
  ['/audit', 'Audit'],
  ['/control-tower', 'Control tower'],
];

/** Returns the problems of a list in a window of a width. */
async function findingsAt(page: Page, path: string, width: number): Promise<string[]> {
  const findings: string[] = [];
  const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
  if (wider > 0) findings.push(`${path}: ${wider} px wider than ${width} px`);
  const narrow = (await page.evaluate(firstColumns)) as readonly number[];
  if (narrow.some((each) => each < nameWidthMin))
    findings.push(`${path}: at ${width} px its names have ${narrow.join(', ')} px`);
  if (!lists.some(([own]) => own === path) || !wholeAt.includes(width)) return findings;
  const shown = (await page.evaluate(shownWhole)) as readonly string[];
  const missing = names.filter((name) => !shown.some((text) => text.includes(name)));
  return [...findings, ...missing.map((name) => `${path}: “${name}” is cut at ${width} px`)];
}

describe.skipIf(!hasChromium)('names that differ only at their ends', () => {
  const fixture = useBrowserFixture();

  beforeAll(async () => {
    const { context } = fixture.visitor;
    const make = async (path: string, body: object) => (await post(context, path, body)) as { id: number };
    for (const name of names) {
      const { id: projectId } = await make('/svc/api/projects', { name });
      const { id: recipientId } = await make('/svc/api/recipients', {
        name,
        notificationType: 'Webhook',
        destination: 'https://hooks.example.com/in',
      });
      const { id: queryId } = await make('/svc/api/queries', {
        projectId: 1,
        name,
        steps: [{ dataSourceId: 1, sql: 'select 1 as one' }],
      });
      const { id } = await make('/svc/api/subscriptions', {
        queryId,
        recipientIds: [recipientId],
        cronExpression: '0 0 1 1 *',
      });
      await post(context, `/svc/api/subscriptions/${id}/test-run`, {});
      await post(context, '/svc/api/api-keys', { name, scopes: ['Read'], allowedProjectIds: [projectId] });
    }
  }, flowMaxMs);

  test(
    'are shown in full in lists, on two lines if necessary, and make no list wider than the window',
    async () => {
      const { page, main } = fixture;
      const findings: string[] = [];
      for (const [path, heading] of [...lists, ...others]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await fixture.open(path, heading);
        await main.getByRole('table').first().waitFor();
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 });
            await picture(page, `long-names${path.replaceAll('/', '-')}-${width}-${theme}`);
            findings.push(...(await findingsAt(page, path, width)));
          }
        }
        await page.setViewportSize({ width: 1440, height: 900 });
        findings.push(...(await axeFindings(page)).map((each) => `${path}: ${each}`));
      }
      expect(findings).toEqual([]);
    },
    flowMaxMs,
  );
});
