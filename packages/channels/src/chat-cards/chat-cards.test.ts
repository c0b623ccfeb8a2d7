import { describe, expect, test } from 'vitest';
import type { Message } from '../message/message.ts';
import { answered, testContext } from '../testing/context.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { bareMessage, testMessage } from '../testing/message.ts';
import { chatCardsBody, chatCardsChannel } from './index.ts';

type Element = {
  type: string;
  inlines?: { type: string; text: string }[];
  rows?: { cells: { items: Element[] }[] }[];
};
type Card = { version: string; type: string; body: Element[]; actions: object[] };

const cardOf = (message: Message): Card => {
  const body = JSON.parse(chatCardsBody(message)) as { type: string; attachments: { content: Card }[] };
  const [attachment] = body.attachments;
  if (body.type !== 'message' || !attachment) throw new Error('no card');
  return attachment.content;
};
const textOf = (element: Element) => element.inlines?.map((inline) => inline.text).join('') ?? '';
const textsOf = (card: Card) => card.body.map(textOf).filter((text) => text !== '');
const cellsOf = (card: Card) =>
  card.body.flatMap((element) =>
    (element.rows ?? []).map((row) => row.cells.map((cell) => cell.items.map(textOf).join())),
  );
const destination =
  'https://prod-1.westeurope.logic.azure.com/workflows/x/triggers/manual/paths/invoke?sig=s';

describe('the default body', () => {
  test('is a card of schema version 1.5 with title, data source, query, rows and button', () => {
    const card = cardOf(testMessage());
    expect(card).toMatchObject({ type: 'AdaptiveCard', version: '1.5' });
    expect(textsOf(card)).toEqual([
      'Svc query results',
      'Data source: Shop',
      'Query: Late orders',
      'Showing 2 of 120 total records',
      'select id, name, total from orders',
      'First 2 records',
    ]);
    expect(cellsOf(card)).toEqual([
      ['id', 'name', 'total'],
      ['1', 'Ada', '10.5'],
      ['2', 'Bob', ' '],
    ]);
    expect(card.actions).toEqual([
      {
        type: 'Action.OpenUrl',
        title: 'View Query Results',
        url: 'https://svc.example.com/svc/notifications/9',
      },
    ]);
  });

  test('shows 10 rows and 3 columns, with the heading First 10 records when more exist', () => {
    const rows = Array.from({ length: 15 }, (_row, index) => [index, 'b', 'c', 'hidden']);
    const card = cardOf(testMessage({ columns: ['a', 'b', 'c', 'd'], rows, totalRows: 15 }));
    expect(textsOf(card)).toContain('First 10 records');
    expect(textsOf(card)).toContain('Showing 10 of 15 total records, the first 3 of 4 columns');
    expect(cellsOf(card)).toHaveLength(11);
    expect(cellsOf(card).every((row) => row.length === 3)).toBe(true);
    const all = cardOf(testMessage({ totalRows: 2 }));
    expect(textsOf(all)).toContain('Records');
    expect(JSON.stringify(card)).not.toContain('hidden');
  });

  test('omits query, rows and button when the message has none', () => {
    const card = cardOf(bareMessage());
    expect(textsOf(card)).toHaveLength(4);
    expect(card.actions).toEqual([]);
    expect(cellsOf(card)).toEqual([]);
  });
});

test('shows hostile values as text runs without markup, and the outline of the card does not change', () => {
  const messageWith = (text: string) =>
    testMessage({
      subscriptionName: text,
      dataSourceName: text,
      queryText: text,
      columns: [text, 'b'],
      rows: [[text, text]],
    });
  const outline = (message: Message) =>
    JSON.stringify(cardOf(message), (key, value: unknown) => (key === 'text' ? 'text' : value));
  const plain = outline(messageWith('plain'));
  for (const text of hostileTexts) {
    expect([text.slice(0, 40), outline(messageWith(text))]).toEqual([text.slice(0, 40), plain]);
    expect(Buffer.byteLength(chatCardsBody(messageWith(text)))).toBeLessThan(28_000);
  }
  expect(plain).not.toContain('"TextBlock"');
});

test('stays below the vendor’s size limit for the largest message', () => {
  for (const text of ['日'.repeat(10_000), '"'.repeat(10_000), '\\'.repeat(10_000), '👍'.repeat(10_000)]) {
    const rows = Array.from({ length: 20 }, () => [text, text, text]);
    const message = testMessage({
      subscriptionName: text,
      dataSourceName: text,
      queryText: text,
      columns: [text, text, text],
      rows,
    });
    expect(Buffer.byteLength(chatCardsBody(message))).toBeLessThan(28_000);
  }
});

describe('delivery', () => {
  test('posts the body and treats 202 as sent', async () => {
    const context = testContext(() => answered(202));
    const outcome = await chatCardsChannel.deliver({ message: testMessage(), destination }, context);
    expect(outcome).toMatchObject({ outcome: 'Sent', httpStatus: 202 });
    expect(context.requests).toMatchObject([{ url: destination, method: 'POST', keepAnswer: false }]);
  });

  test('sends the default body when the template does not produce JSON, and notes this in the run', async () => {
    const context = testContext(() => answered(202));
    const send = (bodyTemplate: string) =>
      chatCardsChannel.deliver({ message: testMessage(), destination, bodyTemplate }, context);
    expect(await send('{"type":"message"}')).toMatchObject({ notes: [] });
    expect(await send('{"type":')).toMatchObject({ notes: ['TemplateNotUsed'] });
    expect(context.requests.map((request) => request.body)).toEqual([
      '{"type":"message"}',
      chatCardsBody(testMessage()),
    ]);
  });

  test('treats an error text in a 200 response of a connector as a failure', async () => {
    const connector = 'https://acme.webhook.office.com/webhookb2/x';
    const send = (answer: string) =>
      chatCardsChannel.deliver(
        { message: testMessage(), destination: connector },
        testContext(() => answered(200, answer)),
      );
    expect(await send('1')).toMatchObject({ outcome: 'Sent' });
    const outcome = await send('Webhook message delivery failed with error: HTTP error 429');
    expect(outcome).toMatchObject({ outcome: 'Failed', reason: 'DeliveryFailed', mayHaveArrived: true });
    expect(JSON.stringify(outcome)).not.toContain('429');
  });
});
