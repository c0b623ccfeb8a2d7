import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

/** Code of the conflict page, which loads on the first conflict. */
const conflictCode = /\/conflict-[^/]*\.js$/;

describe.skipIf(!hasChromium)('two tabs that edit the same record', () => {
  const fixture = useBrowserFixture();
  /** Renames the query in another tab. */
  const saveFromElsewhere = async (renamed: string) => {
    const other = await fixture.visitor.context.newPage();
    await other.goto('/svc/queries/2/edit');
    await other.getByLabel('Name of the query').fill(renamed);
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved', { exact: true }).waitFor();
    await other.close();
  };

  test(
    'the later save stops and shows the differences, and the user can take the other text or save a copy',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/queries/2/edit', /^Edit /);
      const name = await main.getByLabel('Name of the query').inputValue();
      const conflict = main.getByRole('alert', { name: 'Changed meanwhile' });
      await main.getByLabel('Name of the query').fill(`${name}, mine`);
      await saveFromElsewhere(`${name}, theirs`);
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await conflict.getByText(`${name}, theirs`, { exact: true }).waitFor();
      await conflict.getByText(`${name}, mine`, { exact: true }).waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `conflict-${width}-${theme}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await conflict.getByRole('button', { name: 'Take theirs' }).click();
      await expect.poll(() => main.getByLabel('Name of the query').inputValue()).toBe(`${name}, theirs`);
      await main.getByText('Saved', { exact: true }).waitFor();
      await main.getByLabel('Name of the query').fill(`${name}, mine`);
      await saveFromElsewhere(`${name}, theirs again`);
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await conflict.getByRole('button', { name: 'Keep mine as a copy' }).click();
      await main.getByRole('heading', { name: `Edit ${name}, mine (my copy)`, level: 1 }).waitFor();
      expect(await conflict.count()).toBe(0);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  test(
    'an edited form does not overwrite a newer change that the page has read; an untouched form shows the change',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/projects/1', /./);
      const name = await main.getByRole('heading', { level: 1 }).textContent();
      const other = await visitor.context.newPage();
      await other.goto('/svc/projects/1');
      const dialogOf = async (tab: typeof page) => {
        await tab.getByRole('main').getByRole('button', { name: 'More actions' }).click();
        await tab.getByRole('menuitem', { name: 'Rename or describe' }).click();
        return tab.getByRole('dialog', { name: 'Rename or describe' });
      };
      const rename = async (renamed: string) => {
        const dialog = await dialogOf(other);
        await dialog.getByLabel('Name').fill(renamed);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        // The page behind the dialog refetches when the user returns to the tab.
        await expect
          .poll(async () => {
            await page.evaluate('void window.dispatchEvent(new Event("visibilitychange"))');
            return page.locator('h1').textContent();
          })
          .toBe(renamed);
      };
      const mine = await dialogOf(page);
      await rename(`${name}, theirs`);
      await expect.poll(() => mine.getByLabel('Name').inputValue()).toBe(`${name}, theirs`);
      await mine.getByLabel('Name').fill(`${name}, mine`);
      await rename(`${name}, theirs again`);
      await mine.getByRole('button', { name: 'Save' }).click();
      await mine.getByText('Somebody changed this since you read it.', { exact: false }).waitFor();
      expect(await mine.getByLabel('Name').inputValue()).toBe(`${name}, mine`);
      expect(await page.locator('h1').textContent()).toBe(`${name}, theirs again`);
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );

  // Must be the last test, because code that fails to load is an error in the console.
  test(
    'if the differences cannot be shown, the input remains, is reported as unsaved, and can be saved as a copy',
    async () => {
      const { main, page } = fixture;
      let refused = 0;
      await page.route(conflictCode, async (route) => {
        refused += 1;
        await route.abort();
      });
      await fixture.open('/queries/2/edit', /^Edit /);
      const nameField = main.getByLabel('Name of the query');
      const name = await nameField.inputValue();
      await nameField.fill(`${name}, mine`);
      await saveFromElsewhere(`${name}, theirs`);
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      const note = main.getByRole('alert', { name: 'Changed meanwhile' });
      await note.getByText('Yours is not saved, and stays here as you wrote it.', { exact: false }).waitFor();
      expect(refused).toBeGreaterThan(0);
      expect(await nameField.inputValue()).toBe(`${name}, mine`);
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `conflict-without-code-${width}-${theme}`);
        }
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      const before = refused;
      await note.getByRole('button', { name: 'Show what differs' }).click();
      await expect.poll(() => refused).toBeGreaterThan(before);
      await note.getByRole('button', { name: 'Keep mine as a copy' }).click();
      await main.getByRole('heading', { name: `Edit ${name}, mine (my copy)`, level: 1 }).waitFor();

      await fixture.open('/queries/2/edit', /^Edit /);
      await nameField.fill(`${name}, mine again`);
      await saveFromElsewhere(`${name}, theirs again`);
      await main.getByRole('button', { name: 'Save', exact: true }).click();
      await note.getByRole('button', { name: 'Show what differs' }).waitFor();
      await page.unroute(conflictCode);
      await note.getByRole('button', { name: 'Show what differs' }).click();
      await note.getByText(`${name}, theirs again`, { exact: true }).waitFor();
      await note.getByText(`${name}, mine again`, { exact: true }).waitFor();
    },
    flowMaxMs,
  );
});
