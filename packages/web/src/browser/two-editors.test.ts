import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('two tabs with one query', () => {
  const fixture = useBrowserFixture();

  test(
    'the later save is stopped, shows what differs, and takes theirs or keeps a copy',
    async () => {
      const { main, page, visitor } = fixture;
      await fixture.open('/queries/2/edit', /^Edit /);
      const name = await main.getByLabel('Name of the query').inputValue();
      const saveFromElsewhere = async (renamed: string) => {
        const other = await visitor.context.newPage();
        await other.goto('/svc/queries/2/edit');
        await other.getByLabel('Name of the query').fill(renamed);
        await other.getByRole('button', { name: 'Save', exact: true }).click();
        await other.getByText('Saved', { exact: true }).waitFor();
        await other.close();
      };
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
});
