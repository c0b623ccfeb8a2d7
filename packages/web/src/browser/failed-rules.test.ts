import type { Notification } from '@svc/contract';
import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const rules = '3 rules';
const violations = '12,345 violations';

const now = new Date().toISOString();
const run: Notification = {
  id: 1,
  contractId: 1,
  projectId: 1,
  queryName: 'Orders',
  origin: 'Schedule',
  status: 'Sent',
  subscriptionId: null,
  queryId: null,
  queryVersionId: null,
  versionNumber: null,
  resultCount: 3,
  violationCount: 12_345,
  unroutedCount: null,
  executionTimeMs: 22,
  silencedBy: null,
  comment: null,
  recipientNames: ['Desk'],
  dueAt: now,
  createdTime: now,
  sentAt: now,
  finishedAt: now,
  heldUntil: null,
  recoveredAt: null,
};

/** Returns true if the cell of a text cuts it. */
const isCut = (element: Element): boolean => {
  const text = document.createRange();
  text.selectNodeContents(element);
  const [whole, cell] = [text.getBoundingClientRect(), element.closest('td')?.getBoundingClientRect()];
  return cell === undefined || whole.left < cell.left || whole.right > cell.right;
};

describe.skipIf(!hasChromium)('failed rules in lists', () => {
  const fixture = useBrowserFixture();

  test(
    'the history of runs shows the failed rules and the violations of a contract at every width',
    async () => {
      const { main, page, visitor } = fixture;
      await page.route(/\/svc\/api\/notifications(\?|$)/, async (route) => {
        await route.fulfill({ json: { items: [run], totalCount: 1, pageCount: 1 } });
      });
      await fixture.open('/notifications', 'Notifications');
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 1024, 640, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          for (const text of [rules, violations]) {
            const visible = main.getByText(text).filter({ visible: true }).first();
            expect(await visible.evaluate(isCut)).toBe(false);
          }
          await picture(page, `failed-rules-${width}-${theme}`);
          expect(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ).toBeLessThanOrEqual(0);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
