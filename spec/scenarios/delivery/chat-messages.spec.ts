import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { jsonOf, sendOnce } from '../support/send-once.ts';

/** Creates a table of six columns. Returns a query for its first `count` rows. */
async function rows(fixture: DeliveryFixture, count: number): Promise<string> {
  await fixture.source.sql(
    `create table if not exists wide as
     select n as first, 'second ' || n as second, repeat('x', 30) as third, n as fourth, n as fifth, n as sixth
     from generate_series(1, 100) n`,
  );
  return `select * from wide where first <= ${count} order by first`;
}

scenario(
  ['DL-5.1-06', 'DL-5.1-07', 'DL-5.1-08', 'DL-5.1-16', 'DL-5.1-10', 'DL-5.1-36', 'DL-8-03'],
  'a block message contains a header, a results line, and the rows as a text table of at most five short columns',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery(await rows(fixture, 40), 'Blocks');
    const sent = await sendOnce(fixture, query, { showQuery: true }, { notificationType: 'ChatBlocks' });
    expect(sent.run.status).toBe('Sent');
    const { blocks } = jsonOf(sent.received[0]) as { blocks: { type: string; text?: { text: string } }[] };
    expect(blocks[0]).toMatchObject({
      type: 'header',
      text: { text: `[Svc] ${fixture.sourceName} - Blocks` },
    });
    const texts = blocks.map((block) => block.text?.text ?? '');
    expect(texts.some((text) => text.includes('```') && text.includes('from wide'))).toBe(true);
    expect(texts.some((text) => /showing\D*20\D*of\D*40/i.test(text))).toBe(true);
    const table = texts.find((text) => text.includes('```') && text.includes('second 1')) ?? '';
    const lines = table.split('\n').filter((line) => line !== '```');
    const cells = lines
      .filter((_line, index) => index !== 1)
      .map((line) => line.split(' | ').map((cell) => cell.trim()));
    expect(cells[0]).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    // A message previews 20 of the 40 rows, fewer than the limit of the channel.
    expect(cells.slice(1)).toEqual(
      Array.from({ length: 20 }, (_row, index) => [
        String(index + 1),
        `second ${index + 1}`,
        `${'x'.repeat(19)}…`,
        String(index + 1),
        String(index + 1),
      ]),
    );
    const bars = lines.map((line) => [...line.matchAll(/[|+]/g)].map(({ index }) => index));
    for (const at of bars) expect(at).toEqual(bars[0]);
    const hidden = await sendOnce(fixture, query, { showQuery: false }, { notificationType: 'ChatBlocks' });
    expect(hidden.received[0]?.text).not.toContain('from wide');
    expect(hidden.received[0]?.text).not.toContain('View Full Results');
  },
);

/** Returns the expected blocks of a message about one row, in order. */
const inOrder = (runId: number) => [
  { type: 'header' },
  { type: 'section', text: { text: expect.stringMatching(/^```\s*select 1 as one\s*```$/) } },
  { type: 'section', text: { text: expect.stringMatching(/showing 1 of 1 total records/i) } },
  { type: 'section', text: { text: expect.stringMatching(/^```\s*one\s[\s\S]*\b1\s*```$/) } },
  { type: 'actions', elements: [{ url: `https://svc.example.org/svc/notifications/${runId}` }] },
];

scenario(
  ['DL-0-02', 'DL-5.1-06', 'DL-5.1-09', 'DL-5.1-26'],
  'chat messages have a button that opens the run if a base URL is set',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:BaseUrl': 'https://svc.example.org/svc' });
    const query = await fixture.addQuery('select 1 as one');
    for (const [notificationType, label] of [
      ['ChatBlocks', 'View Full Results'],
      ['ChatCards', 'View Query Results'],
    ] as const) {
      const sent = await sendOnce(fixture, query, { showQuery: true }, { notificationType });
      expect(sent.run.deliveries).toMatchObject([{ notificationType }]);
      expect(sent.received[0]?.text).toContain(label);
      expect(sent.received[0]?.text).toContain(`https://svc.example.org/svc/notifications/${sent.run.id}`);
      if (notificationType === 'ChatBlocks')
        expect(jsonOf(sent.received[0])).toMatchObject({ blocks: inOrder(sent.run.id) });
    }
  },
);

scenario(
  ['DL-5.1-04', 'DL-5.1-05', 'DL-5.1-17', 'DL-5.1-24', 'DL-5.1-25', 'DL-8-02'],
  'a card message has version 1.5, title, source, query, and a table of ten rows and three columns',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery(await rows(fixture, 12), 'Cards');
    const sent = await sendOnce(fixture, query, { showQuery: true }, { notificationType: 'ChatCards' });
    const text = sent.received[0]?.text ?? '';
    expect(text).toContain('"version":"1.5"');
    const parts = ['Svc query results', fixture.sourceName, 'Cards', 'from wide', 'First 10 records'];
    const places = parts.map((part) => text.indexOf(part));
    expect([Math.min(...places) > 0, places.toSorted((a, b) => a - b)]).toEqual([true, places]);
    for (const part of [fixture.sourceName, 'Cards', 'from wide', 'First 10 records', 'second 10', 'third'])
      expect(text).toContain(part);
    for (const absent of ['second 11', 'fourth']) expect(text).not.toContain(absent);
    const few = await sendOnce(
      fixture,
      await fixture.addQuery(await rows(fixture, 3)),
      {},
      { notificationType: 'ChatCards' },
    );
    expect(few.received[0]?.text).not.toContain('First 10 records');
    const hidden = await sendOnce(fixture, query, { showQuery: false }, { notificationType: 'ChatCards' });
    expect(hidden.received[0]?.text).not.toContain('from wide');
  },
);
