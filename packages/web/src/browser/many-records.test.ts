import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

const recipientCount = 219;
const projectCount = 60;
/** Maximum number of Tab presses that a user accepts. */
const tabsMax = 20;

describe.skipIf(!hasChromium)('many records', () => {
  const fixture = useBrowserFixture();

  beforeAll(async () => {
    const { context } = fixture.visitor;
    const number = (at: number) => String(at).padStart(3, '0');
    for (let at = 1; at <= recipientCount; at++)
      await post(context, '/svc/api/recipients', {
        name: `Desk ${number(at)}`,
        notificationType: 'Webhook',
        destination: `https://hooks.example.com/${at}`,
      });
    for (let at = 1; at <= projectCount; at++)
      await post(context, '/svc/api/projects', { name: `Area ${number(at)}` });
  }, flowMaxMs);

  test(
    'any recipient can be selected for a subscription by a part of its name, and a few Tabs move past the list',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/subscriptions?new=yes&queryId=1', 'New subscription');
      await main.getByRole('button', { name: 'Continue' }).click();
      const field = main.getByRole('textbox', { name: 'Find a recipient' });
      await main.getByText('8 of 220 shown.', { exact: false }).waitFor();
      for (const last of ['219', '007']) {
        await field.fill(`esk ${last}`);
        await main.getByText('1 found.', { exact: true }).waitFor();
        await main.getByRole('checkbox', { name: `Desk ${last}` }).check();
      }
      await field.fill('');
      await main.getByText('8 of 220 shown.', { exact: false }).waitFor();
      await expect
        .poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement))
        .toBe(true);
      await main.getByRole('checkbox', { name: 'Desk 219', checked: true }).waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `recipients-step-${width}-${theme}`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      await field.focus();
      const isOnward = () =>
        main
          .getByRole('button', { name: 'Continue' })
          .evaluate((button) => button === button.ownerDocument.activeElement);
      let tabs = 0;
      for (; tabs < tabsMax && !(await isOnward()); tabs++) await page.keyboard.press('Tab');
      expect(tabs).toBeLessThan(tabsMax);
      await page.keyboard.press('Enter');
      await main.getByRole('button', { name: 'Continue' }).click();
      await main.getByText('Desk 219, Desk 007').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'a list can be filtered by any project, which is found by name in a menu that fits on the screen',
    async () => {
      const { main, page, visitor } = fixture;
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await fixture.open('/queries', 'Queries');
      await main.getByRole('button', { name: 'Project', exact: true }).click();
      const field = page.getByRole('textbox', { name: 'Find a project' });
      await field.waitFor();
      await page.getByText('10 of 61 shown.', { exact: false }).waitFor();
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 700 });
        await picture(page, `project-filter-${width}`);
        const box = await page.getByRole('listbox').boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      await field.fill('rea 060');
      await page.getByRole('option', { name: 'Area 060' }).click();
      await page.waitForURL((url) => url.searchParams.has('projectId'));
      await main.getByRole('button', { name: 'Project Area 060' }).waitFor();
      await main.getByText('Nothing matches').waitFor();
      await page.reload();
      await main.getByRole('button', { name: 'Project Area 060' }).waitFor();
      await main.getByRole('button', { name: 'Remove the filter Project' }).click();
      await main.getByRole('link', { name: 'Delayed orders' }).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'the form of an AI actor shows its recipients regardless of their position in the list',
    async () => {
      const { main, visitor } = fixture;
      const list = await visitor.context.request.get('/svc/api/recipients?search=Desk+219');
      const { items } = (await list.json()) as { items: { id: number }[] };
      const actor = (await post(visitor.context, '/svc/api/ai-actors', {
        name: 'Watcher',
        instructions: 'Watch the orders.',
        projectId: 1,
        dataSourceId: 1,
        additionalContext: null,
        thinkSchedule: null,
        timeZone: 'UTC',
        isThinkingAfterRuns: false,
        maxQueries: 5,
        maxSubscriptionsPerQuery: 1,
        maxActionsPerPlan: 5,
        monthlyTokens: 10_000,
        defaultRecipientIds: items.map(({ id }) => id),
        requiresApproval: true,
      })) as { id: number };
      await fixture.open(`/ai-actors/${actor.id}/edit`, 'Edit Watcher');
      await main.getByText('Desk 219', { exact: true }).waitFor();
    },
    flowMaxMs,
  );
});
