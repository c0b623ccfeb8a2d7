import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { post } from '@svc/testkit/browser/people.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('a new query for a data source', () => {
  const fixture = useBrowserFixture({ service: { withDemo: false } });
  const made = async (path: string, body: unknown) =>
    ((await post(fixture.visitor.context, path, body)) as { readonly id: number }).id;
  const newSource = () =>
    made('/svc/api/data-sources', {
      name: 'Orders file',
      engine: 'SQLite',
      connection: { file: fixture.service.ordersFile },
    });
  const beginFrom = async (id: number) => {
    await fixture.open(`/data-sources/${id}`, 'Orders file');
    await fixture.main.getByRole('link', { name: 'New query' }).click();
    await fixture.main.getByRole('heading', { name: 'New query', level: 1 }).waitFor();
  };
  const field = (name: string) => fixture.main.getByRole('combobox', { name });

  test(
    'shows a message and a link to a new project if no project exists',
    async () => {
      const { main, page } = fixture;
      await fixture.open('/queries/new', 'New query');
      await main.getByText('there is none yet that you can write in', { exact: false }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await main.getByRole('link', { name: 'New project' }).click();
      await main.getByRole('heading', { name: 'New project', level: 1 }).waitFor();
    },
    flowMaxMs,
  );

  test(
    'links a data source without a project on the way, and retains a data source that several projects share',
    async () => {
      const { main, page, visitor } = fixture;
      for (const name of ['Alpha', 'Beta', 'Gamma']) await made('/svc/api/projects', { name });
      const id = await newSource();
      await beginFrom(id);
      await main
        .getByText('Orders file is linked to none that you can write in.', { exact: false })
        .waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await picture(page, `unheld-source-${width}-${theme}`);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
      await field('Project').click();
      await page.getByRole('option', { name: 'Beta' }).click();
      await main.getByRole('button', { name: 'Link and write a query' }).click();
      await expect.poll(() => field('Data source').inputValue()).toBe('Orders file');
      await expect.poll(() => field('Project').inputValue()).toBe('Beta');
      await post(visitor.context, '/svc/api/projects/3/data-sources', { dataSourceId: id });
      await beginFrom(id);
      await expect.poll(() => field('Project').inputValue()).toBe('Beta');
      await expect.poll(() => field('Data source').inputValue()).toBe('Orders file');
      // A project that contains the data source retains it. A project without it clears the field.
      await fixture.choose('Project', 'Gamma');
      await expect.poll(() => field('Data source').inputValue()).toBe('Orders file');
      await fixture.choose('Project', 'Alpha');
      await expect.poll(() => field('Data source').inputValue()).toBe('');
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
