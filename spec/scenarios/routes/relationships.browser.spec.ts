import { hasChromium, openBrowser, visit } from '@svc/testkit/browser/browser.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { startDeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { buildWeb } from '@svc/testkit/service/web-build.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.1-14'],
  'the page of relationships shows them and the health of the schema to members of a project that holds the source',
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
    } finally {
      await browser.close();
      await fixture.close();
    }
  },
  // Skipped, loudly, without a browser.
  { skip: !hasChromium, timeout: 900_000 },
);
