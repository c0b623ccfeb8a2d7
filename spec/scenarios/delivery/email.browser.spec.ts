import type { Email } from '@svc/channels';
import { expect } from 'vitest';
import { hostileTexts } from '../../../packages/channels/src/testing/hostile-texts.ts';
import { inBrowser, lookAt } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

const anna = { notificationType: 'Email', destination: 'anna@example.org' } as const;
const rowsShown = 20;
/** Texts that a database can store and that do not look like personal data, which messages mask. */
const storable = hostileTexts.filter(
  (text) =>
    text.trim() !== '' &&
    text.length < 500 &&
    text.isWellFormed() &&
    !text.includes('\0') &&
    !/@|\d{3}/.test(text),
);

scenario(
  ['DL-5.1-01', 'DL-5.1-32'],
  'a browser shows hostile values in a mail as text, runs no script and loads no resource',
  async ({ deliver }) => {
    const sent: Email[] = [];
    const fixture = await deliver({}, { email: async (email) => void sent.push(email) });
    await fixture.source.sql('create table notes (id int generated always as identity, note text)');
    for (const text of storable)
      await fixture.source.sql(`insert into notes (note) values (${quoted(text)})`);
    for (let first = 0; first < storable.length; first += rowsShown) {
      const query = await fixture.addQuery(
        `select note from notes where id > ${first} order by id`,
        `Notes ${first} ${storable[first]?.slice(0, 60)}`,
      );
      await sendOnce(fixture, query, { showQuery: true }, anna);
    }
    expect(sent.length).toBe(Math.ceil(storable.length / rowsShown));
    await lookAt(fixture.svc.origin, undefined, async (page) => {
      const asked: string[] = [];
      const said: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      page.on('dialog', async (dialog) => {
        said.push(dialog.message());
        await dialog.dismiss();
      });
      page.on('console', (line) => void said.push(line.text()));
      page.on('pageerror', (error) => void said.push(error.message));
      for (const [index, { html }] of sent.entries()) {
        await page.setContent(html, { waitUntil: 'load' });
        const cells = await page.locator('table td').allTextContents();
        const expected = storable.slice(index * rowsShown, (index + 1) * rowsShown);
        // A browser may show white space and characters without a glyph in another way.
        const visible = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cf}\ufffd]/gu, '');
        for (const text of expected) expect(cells.map(visible)).toContain(visible(text));
        expect(await page.locator('script, img, iframe, svg, form, object, link[href]').count()).toBe(0);
      }
      expect([asked, said]).toEqual([[], []]);
    });
  },
  inBrowser,
);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
