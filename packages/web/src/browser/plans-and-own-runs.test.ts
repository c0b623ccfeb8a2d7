import { axeFindings, hasChromium, picture } from '@svc/testkit/browser/browser.ts';
import { describe, expect, test } from 'vitest';
import { flowMaxMs, useBrowserFixture } from './testing/fixture.ts';

describe.skipIf(!hasChromium)('panels next to the query editor', () => {
  const fixture = useBrowserFixture();

  test(
    'show the engine’s plan as a tree with rows and cost, and bring back an earlier run',
    async () => {
      const { main, page, visitor } = fixture;
      await page.setViewportSize({ width: 1280, height: 900 });
      await fixture.open('/queries/new', 'New query');
      await fixture.choose('Data source', 'Shop database');
      await fixture.writeSql('select count(*) as n from shop.orders');
      await main.getByRole('button', { name: 'Explain', exact: true }).first().press('Enter');
      const tree = main.getByRole('table', { name: 'Plan of step 1' });
      await tree.getByRole('columnheader', { name: 'Cost' }).waitFor();
      await tree.getByRole('rowheader', { name: /Level 1: .*Aggregate/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'editor-plan');
      await main.getByRole('button', { name: 'Run query' }).press('Enter');
      await main.getByText('1 row', { exact: true }).waitFor();

      await fixture.writeSql('select 2 as two');
      await main.getByText('The query changed since it was explained.').waitFor();
      await main.getByRole('button', { name: 'Runs', exact: true }).press('Enter');
      const runs = main.getByRole('list', { name: 'Your last runs' });
      await runs.getByText('select count(*) as n from shop.orders').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'editor-own-runs');
      await runs
        .getByRole('button', { name: /^Bring back/ })
        .first()
        .press('Enter');
      await main.getByRole('textbox', { name: 'SQL of this step' }).getByText('count').waitFor();
      expect(visitor.complaints).toEqual([]);
    },
    flowMaxMs,
  );
});
