import { hasChromium, openBrowser, visit } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-14'],
  'the page of relationships and schema health is available to members of a project that contains the source',
  async () => {
    const fixture = await startDeliveryFixture({ svc: { pages: { folder: buildWeb() } } });
    const browser = await openBrowser();
    try {
      await fixture.source.sql(
        'create table authors (id int primary key); create table books (id int primary key, author int references authors)',
      );
      const metadata = `/svc/api/data-sources/${fixture.dataSourceId}/refresh-metadata`;
      expect((await fixture.root.post(metadata)).status).toBe(200);
      const { origin } = fixture.svc;
      const { context, page } = await visit(browser, origin);
      const viewer = await signIn(fixture.svc, await addUser(fixture.svc, 'viewer', ['Viewer']));
      await context.addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url: origin })));
      await page.goto(`/svc/data-sources/${fixture.dataSourceId}/relationships`);
      await page
        .getByRole('row', { name: /public\.books author.*public\.authors id.*Foreign key/ })
        .waitFor();
      const health = page.getByRole('region', { name: 'Schema health' });
      await health.getByText('Foreign keys without an index').click();
      await health.getByText('public.books (author)').waitFor();
      const graph = page.getByRole('region', { name: 'Graph' });
      await graph.getByText('Graph', { exact: true }).click();
      await graph.getByRole('button', { name: 'public.books, 1 relationship' }).press('ArrowRight');
      await page.keyboard.press('Enter');
      await graph.getByText('public.books (author) → public.authors (id)').waitFor();
      await fixture.source.sql('alter table books drop column author');
      await fixture.svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
      expect((await fixture.root.post(metadata)).status).toBe(200);
      await page.reload();
      const changes = page.getByRole('region', { name: 'Schema changes' });
      await changes.getByText('Schema changes').click();
      await changes.getByText('Column author (integer) removed from public.books').waitFor();
    } finally {
      await browser.close();
      await fixture.close();
    }
  },
  // Without Chromium, the scenario is skipped and a log line reports it.
  { skip: !hasChromium, timeout: 900_000 },
);
